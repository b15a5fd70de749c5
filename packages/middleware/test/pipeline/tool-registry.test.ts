import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type Tool, ToolRegistry } from "../../src/index.js";
import { gateRig } from "../support/gate-rig.js";

const tool = (name: string): Tool => ({ name, description: "", inputSchema: {}, call: () => name });

describe("a registry", () => {
  it("gives tools by their very name, and names in order of registration", () => {
    const registry = new ToolRegistry([tool("b"), tool("a")]);
    expect(registry.names()).toEqual(["b", "a"]);
    expect(registry.get("a")?.name).toBe("a");
    expect(registry.get("A")).toBeNull();
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", ""])(
    "has no tool called %j by accident",
    (name) => {
      const registry = new ToolRegistry([tool("a")]);
      expect(registry.get(name)).toBeNull();
      registry.register(tool(name));
      expect(registry.get(name)?.name).toBe(name);
    },
  );

  it("refuses a name that is taken, and says what to do instead", () => {
    const registry = new ToolRegistry([tool("a")]);
    expect(() => registry.register(tool("a"))).toThrow(expect.objectContaining({ code: "duplicate_tool" }));
    expect(() => new ToolRegistry([tool("a"), tool("a")])).toThrow(/replace\(\)/);
  });

  it("replaces, adds by replacing, and removes", () => {
    const registry = new ToolRegistry();
    expect(registry.replace(tool("a")).names()).toEqual(["a"]);
    const other = tool("a");
    expect(registry.replace(other).get("a")).toBe(other);
    expect([registry.remove("a"), registry.remove("a")]).toEqual([true, false]);
    expect(registry.names()).toEqual([]);
  });
});

describe("names near an unknown one", () => {
  const registry = new ToolRegistry(["read_file", "read_files", "write_file", "list_dir", "Bash"].map(tool));

  it.each<[string, string[]]>([
    ["read_fil", ["read_file", "read_files"]],
    ["READ_FILE", ["read_file", "read_files"]],
    ["bash", ["Bash"]],
    ["lst_dir", ["list_dir"]],
    ["send_mail", []],
    ["x".repeat(100_000), []],
  ])("are, nearest first (%#)", (name, near) => {
    expect(registry.nearest(name)).toEqual(near);
  });

  it("are three at the most", () => {
    const many = new ToolRegistry(["tool1", "tool2", "tool3", "tool4"].map(tool));
    expect(many.nearest("tool")).toHaveLength(3);
  });
});

describe("a call of an unknown tool is an error result", () => {
  it.each<[string, string]>([
    ["T", "Unknown tool 'T'; nearest known: 't'"],
    ["constructor", "Unknown tool 'constructor'; no name is near it"],
    ["__proto__", "Unknown tool '__proto__'; no name is near it"],
  ])("for %s, which asks no gate", async (toolName, output) => {
    let consulted = 0;
    const gate = PermissionMiddleware.fromContext().withCheck(() => {
      consulted++;
      return { kind: "allow" };
    });
    const result = await gateRig(gate).invoke({ toolName });
    expect(result).toMatchObject({ output, isError: true, errorKind: "unknown_tool", gate: null, trail: [] });
    expect(consulted).toBe(0);
  });

  it("and says so where there are no tools at all", async () => {
    const { invoke, registry } = gateRig([]);
    registry.remove("t");
    expect((await invoke()).output).toBe("Unknown tool 't'; there are no tools");
  });
});

it("a tool that is replaced while its call waits does not run in its place: the one that was judged does", async () => {
  const { invoke, inputs, registry } = gateRig(
    PermissionMiddleware.fromContext().withCheck(async () => {
      registry.replace({ ...tool("t"), call: () => "replacement" });
      return { kind: "allow" };
    }),
  );
  expect((await invoke()).output).toBe("ran");
  expect(inputs).toHaveLength(1);
  expect((await invoke()).output).toBe("replacement");
});
