import type { JsonValue } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallOptions } from "../../src/calls/call-target.js";
import { callTargets, shellCommands } from "../../src/calls/call-targets.js";

const targets = (tool: string, input: JsonValue, options: CallOptions = {}) =>
  callTargets({ tool, input }, options);
const texts = (tool: string, input: JsonValue, options: CallOptions = {}) =>
  targets(tool, input, options).map(({ text }) => text);

describe("callTargets", () => {
  it("gives the text under every known key, so that none hides another", () => {
    expect(
      targets("Read", { path: "a", file_path: "b", query: "q", url: "u", pattern: "p", other: "o" }),
    ).toEqual([
      { key: "path", sort: "path", text: "a", as: null },
      { key: "file_path", sort: "path", text: "b", as: null },
      { key: "pattern", sort: "path", text: "p", as: null },
      { key: "url", sort: "url", text: "u", as: null },
      { key: "query", sort: "path", text: "q", as: null },
    ]);
  });

  it("gives each key the sort of what stands under it, whatever the tool", () => {
    expect(
      targets("mcp__x__y", { path: "a/../b", url: "u", pattern: "p", query: "q" }).map(({ sort }) => sort),
    ).toEqual(["path", "text", "url", "text"]);
    expect(targets("WebSearch", { query: "q" })[0]?.sort).toBe("text");
    expect(targets("WebFetch", { url: "u" })[0]?.sort).toBe("url");
  });

  it.each<[string, string, JsonValue]>([
    ["no known key", "Team", { goal: "g" }],
    ["an input that is an array", "Read", ["/x"]],
    ["an input that is no object", "Read", "x"],
    ["an input that is null", "Read", null],
    ["a key that is inherited", "Read", Object.create({ path: "x" })],
    ["a value that is no text", "Read", { path: 42 }],
    ["a value that is an object", "Read", { path: { path: "x" } }],
    ["a list that is empty", "Read", { path: [] }],
    ["a list that holds more than texts", "Read", { path: ["a", 1] }],
    ["a key that is null", "Read", { path: null }],
  ])("gives one empty text for %s", (_, tool, input) => {
    expect(texts(tool, input)).toEqual([""]);
  });

  it("gives each text of a list, and an empty one beside others for what cannot be read", () => {
    expect(texts("Read", { path: ["a", "b"] })).toEqual(["a", "b"]);
    expect(texts("Read", { path: "a", file_path: 42 })).toEqual(["a", ""]);
    expect(texts("Read", { path: "a", file_path: null })).toEqual(["a"]);
  });

  it("gives both operands of a copy and a move, with what is done to each", () => {
    expect(targets("Copy", { source: "/a", destination: "/b" })).toEqual([
      { key: "source", sort: "path", text: "/a", as: "Read" },
      { key: "destination", sort: "path", text: "/b", as: "Write" },
    ]);
    expect(targets("Move", { source: "/a", destination: "/b" }).map(({ as }) => as)).toEqual([
      "Remove",
      "Write",
    ]);
    expect(texts("Move", { source: "/a" })).toEqual(["/a", ""]);
    expect(texts("Copy", { destination: 1 })).toEqual(["", ""]);
    expect(texts("Copy", { source: ["/a", "/c"], destination: "/b" })).toEqual(["/a", "/c", "/b"]);
  });

  it("judges a search by where it looks, the root where that is not said", () => {
    expect(targets("Grep", { pattern: "x", path: "src" })).toEqual([
      { key: "path", sort: "path", text: "src", as: null },
    ]);
    expect(targets("Grep", { pattern: "x" })).toEqual([{ key: null, sort: "path", text: ".", as: null }]);
    expect(texts("Grep", { pattern: "x", path: "" })).toEqual(["."]);
    expect(texts("Grep", { pattern: "x", path: 42 })).toEqual([""]);
    expect(texts("Glob", {})).toEqual(["."]);
    expect(texts("Glob", { pattern: 42 })).toEqual([""]);
    expect(texts("ListDir", {})).toEqual([""]);
  });

  it.each<[JsonValue, readonly string[]]>([
    [{ pattern: "**/*.ts" }, ["**/*.ts"]],
    [{ pattern: "src/*.ts" }, ["src/*.ts"]],
    [{ path: "src", pattern: "**/*.ts" }, ["src"]],
    [{ path: "src", pattern: "lib/*.ts" }, ["src", "src/lib/"]],
    [{ path: "src", pattern: "a.ts" }, ["src", "src/a.ts"]],
    [{ path: "src", pattern: "../secret/*" }, ["src", "src/../secret/"]],
    [{ path: "src", pattern: "/etc/*" }, ["src", "/etc/"]],
    [{ path: "src", pattern: "~/x/*" }, ["src", "~/x/"]],
    [{ path: "src", pattern: "*.{ts,tsx}" }, ["src"]],
    [{ path: "src", pattern: "*/../../x" }, ["src", "/"]],
    [{ path: "src", pattern: "{..,a}/x" }, ["src", "/"]],
    [{ path: "src", pattern: "{/etc,a}/x" }, ["src", "/"]],
    [{ path: "src", pattern: "{,a}/etc/x" }, ["src", "/"]],
    [{ path: "src", pattern: ".{.,a}/x" }, ["src", "/"]],
    [{ path: "src", pattern: "{~/a,b}" }, ["src", "/"]],
    [{ path: "src", pattern: "\\.\\./x" }, ["src", "/"]],
    [{ path: "src", pattern: "@(..)/x" }, ["src", "/"]],
    [{ pattern: "**/../../x" }, ["**/../../x", "/"]],
    [{ path: 42, pattern: "a/*" }, ["", ""]],
  ])("of the glob %j judges %j", (input, expected) => {
    expect(texts("Glob", input)).toEqual(expected);
  });

  it("looks under the keys of a tool or its kind where they are configured, and under no others", () => {
    const targetKeys = { my_read: ["target"], Copy: ["from", "to"] };
    const toolKinds = { my_read: "Read", cp: "Copy" };
    expect(targets("my_read", { target: "a", path: "b" }, { targetKeys, toolKinds })).toEqual([
      { key: "target", sort: "path", text: "a", as: null },
    ]);
    expect(targets("cp", { from: "a", to: "b" }, { targetKeys, toolKinds }).map(({ as }) => as)).toEqual([
      "Read",
      "Write",
    ]);
    expect(texts("my_read", { path: "b" }, { targetKeys, toolKinds })).toEqual([""]);
    expect(texts("constructor", { path: "b" }, { targetKeys })).toEqual(["b"]);
  });

  it("never throws, and always gives a target, whatever the input", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("Read", "Glob", "Grep", "Copy", "WebFetch", "x", "__proto__"),
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom("path", "pattern", "source", "url", "__proto__"), fc.jsonValue()),
        ),
        (tool, input) => {
          expect(targets(tool, input as JsonValue).length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("shellCommands", () => {
  const commands = (input: JsonValue, options: CallOptions = {}) =>
    shellCommands({ tool: "Bash", input }, options);

  it("gives the text under every key that holds a command", () => {
    expect(commands({ command: "ls" })).toEqual(["ls"]);
    expect(commands({ cmd: "rm x", command: "ls" })).toEqual(["ls", "rm x"]);
    expect(commands({ command: "ls", cmd: null })).toEqual(["ls"]);
  });

  it.each<JsonValue>([
    {},
    [],
    null,
    "ls",
    { command: "" },
    { command: " \n" },
    { command: ["ls"] },
    { command: "ls", cmd: 1 },
  ])("gives null for %j, where nobody can say what runs", (input) => {
    expect(commands(input)).toBeNull();
  });

  it("looks under configured keys, of Bash as of Shell", () => {
    expect(commands({ script: "ls" }, { targetKeys: { Bash: ["script"] } })).toEqual(["ls"]);
    expect(commands({ script: "ls" }, { targetKeys: { Shell: ["script"] } })).toEqual(["ls"]);
    expect(commands({ command: "ls" }, { targetKeys: { Shell: ["script"] } })).toBeNull();
    expect(
      shellCommands(
        { tool: "run", input: { script: "ls" } },
        { toolKinds: { run: "Bash" }, targetKeys: { run: ["script"] } },
      ),
    ).toEqual(["ls"]);
  });
});
