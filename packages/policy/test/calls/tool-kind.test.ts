import { describe, expect, it } from "vitest";
import { isListedKind, isPathKind, isShellTool, kindOf, LISTED_KINDS } from "../../src/calls/tool-kind.js";

const call = (tool: string, kind?: string) => ({ tool, input: {}, ...(kind === undefined ? {} : { kind }) });

describe("kindOf", () => {
  it("goes by what the call says, then by what the host says of the tool, then by its name", () => {
    const toolKinds = { edit_file: "Edit", run: "Bash", Read: "Write" };
    expect(kindOf(call("edit_file", "Write"), { toolKinds })).toBe("Write");
    expect(kindOf(call("edit_file"), { toolKinds })).toBe("Edit");
    expect(kindOf(call("Read"), { toolKinds })).toBe("Write");
    expect(kindOf(call("other"), { toolKinds })).toBe("other");
    expect(kindOf(call("edit_file", ""), { toolKinds })).toBe("Edit");
  });

  it("makes Bash and Shell one kind, however they are named", () => {
    for (const each of [call("Bash"), call("Shell"), call("x", "Bash"), call("x", "Shell")]) {
      expect(kindOf(each)).toBe("Shell");
      expect(isShellTool(each)).toBe(true);
    }
    expect(kindOf(call("run"), { toolKinds: { run: "Bash" } })).toBe("Shell");
    expect(isShellTool(call("bash"))).toBe(false);
  });

  it("takes a tool that is called like something every object has for a tool of that name", () => {
    for (const tool of ["constructor", "__proto__", "toString"])
      expect(kindOf(call(tool), { toolKinds: {} })).toBe(tool);
  });
});

describe("the listed kinds", () => {
  it("are those that rules may name, Bash among them", () => {
    for (const kind of [...LISTED_KINDS, "Bash"]) expect(isListedKind(kind)).toBe(true);
    for (const name of ["bash", "Subagent", "", "constructor"]) expect(isListedKind(name)).toBe(false);
  });

  it("are about paths, but for shells and the web", () => {
    const others = ["Shell", "WebFetch", "WebSearch"];
    for (const kind of LISTED_KINDS) expect(isPathKind(kind)).toBe(!others.includes(kind));
    expect(isPathKind("anything")).toBe(false);
  });
});
