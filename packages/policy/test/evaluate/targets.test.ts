import type { JsonValue } from "@x/permission-core";
import { memoryWorkspace } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { evaluateRules } from "../../src/index.js";
import { allow, ask, deny, pathEffect, type RequestOptions } from "./rule-samples.js";

const workspace = memoryWorkspace({
  "/w/link": { link: "/w/secret" },
  "/w/secret/a": "",
  "/w/loop": { link: "/w/loop" },
});
const decide = (
  rules: readonly ReturnType<typeof allow>[],
  tool: string,
  input: JsonValue,
  options: RequestOptions = {},
) => evaluateRules({ workspace, ...options, rules, call: { tool, input } });
const EVERYTHING = [allow("")];

describe("targets of a call", () => {
  it("are all judged, and the worst wins: no decoy hides another", () => {
    const rules = [allow("Read(public/**)"), deny("Read(secret/**)")];
    expect(decide(rules, "Read", { path: "public/a" }).effect).toBe("allow");
    const decoy = decide(rules, "Read", { path: "public/a", file_path: "secret/a" });
    expect(decoy.effect).toBe("deny");
    expect(decoy.parts.map(({ text, effect }) => [text, effect])).toEqual([
      ["public/a", "allow"],
      ["secret/a", "deny"],
    ]);
  });

  it("are those under the configured keys where there are any", () => {
    const rules = [allow("fetch_row(users)"), deny("fetch_row(secrets)")];
    const options = { targetKeys: { fetch_row: ["table"] } };
    expect(decide(rules, "fetch_row", { table: "users", query: "secrets" }, options).effect).toBe("allow");
    expect(decide(rules, "fetch_row", { table: "secrets" }, options).effect).toBe("deny");
  });

  it("are source and destination of Copy and Move", () => {
    const rules = [allow("Copy"), ask("Copy(b/**)")];
    expect(decide(rules, "Copy", { source: "a", destination: "b/c" })).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
  });

  it("are paths by their normal and real form", () => {
    const rules = [allow("Read(**)"), deny("Read(secret/**)")];
    for (const path of ["secret/a", "/w/secret/a", "./x/../secret/a", "link/a"])
      expect(pathEffect(rules, "Read", path, { workspace })).toBe("deny");
    expect(pathEffect([allow("Read(link/**)")], "Read", "link/a", { workspace })).toBe("ask");
    expect(pathEffect(EVERYTHING, "Read", "loop/a", { workspace })).toBe("ask");
  });

  it("are addresses with domains", () => {
    const rules = [allow("WebFetch(domain:example.com)"), deny("WebFetch(domain:evil.example.com)")];
    const effect = (url: string) => decide(rules, "WebFetch", { url }).effect;
    expect(effect("https://example.com/a")).toBe("allow");
    expect(effect("https://docs.example.com/a")).toBe("allow");
    expect(effect("https://notexample.com/")).toBe("ask");
    expect(effect("https://evil.example.com/")).toBe("deny");
  });
});

describe("a rule of one kind that binds another", () => {
  it("is a deny of Read for searches, copies and moves", () => {
    const rules = [deny("Read(secret/**)"), ...EVERYTHING];
    expect(decide(rules, "Grep", { pattern: "x", path: "secret" }).effect).toBe("deny");
    expect(decide(rules, "Grep", { pattern: "x", path: "src" }).effect).toBe("allow");
    expect(decide(rules, "Glob", { pattern: "secret/*" }).effect).toBe("deny");
    expect(decide(rules, "Copy", { source: "secret/a", destination: "b" }).effect).toBe("deny");
    expect(decide(rules, "Copy", { source: "b", destination: "secret/a" }).effect).toBe("allow");
    expect(decide(rules, "Move", { source: "secret/a", destination: "b" }).effect).toBe("deny");
    expect(decide(rules, "Edit", { path: "secret/a" }).effect).toBe("allow");
  });

  it("is an operator's ask of Read as well", () => {
    const rules = [ask("Read(secret/**)"), ...EVERYTHING];
    expect(decide(rules, "Grep", { pattern: "x", path: "secret" })).toMatchObject({ configuredAsk: true });
    expect(decide(rules, "Copy", { source: "secret/a", destination: "b" }).effect).toBe("ask");
  });

  it("is a deny of Write for edits, removals and destinations", () => {
    const rules = [deny("Write(secret/**)"), ...EVERYTHING];
    expect(decide(rules, "Edit", { path: "secret/a" }).effect).toBe("deny");
    expect(decide(rules, "Remove", { path: "secret/a" }).effect).toBe("deny");
    expect(decide(rules, "Copy", { source: "a", destination: "secret/a" }).effect).toBe("deny");
    expect(decide(rules, "Move", { source: "a", destination: "secret/a" }).effect).toBe("deny");
    expect(decide(rules, "Move", { source: "secret/a", destination: "a" }).effect).toBe("deny");
    expect(decide(rules, "Read", { path: "secret/a" }).effect).toBe("allow");
  });

  it("is no ask of Write for edits: an operator who wants to see new files may allow edits", () => {
    expect(decide([ask("Write"), allow("Edit")], "Edit", { path: "a" }).effect).toBe("allow");
    expect(decide([ask("Write"), allow("Copy")], "Copy", { source: "a", destination: "b" }).effect).toBe(
      "ask",
    );
  });

  it("is no allow, and nothing that is built in", () => {
    expect(decide([allow("Read")], "Grep", { pattern: "x", path: "a" }).effect).toBe("ask");
    expect(decide([allow("Write")], "Edit", { path: "a" }).effect).toBe("ask");
    const builtin = [ask("Read", { scope: "builtin" }), allow("Grep", { scope: "builtin" })];
    expect(decide(builtin, "Grep", { pattern: "x", path: "a" }).effect).toBe("allow");
  });
});

describe("a call that names no path", () => {
  it.each([{}, null, [], "a", { path: 7 }])("asks where an operator speaks of some: %j", (input) => {
    expect(decide([allow("Read"), deny("Read(secret/**)")], "Read", input)).toMatchObject({
      effect: "ask",
      configuredAsk: true,
    });
    expect(decide([allow("Edit"), deny("Write(secret/**)")], "Edit", input).effect).toBe("ask");
    expect(decide([allow("Read")], "Read", input).effect).toBe("allow");
    expect(decide([deny("Read")], "Read", input).effect).toBe("deny");
  });
});

describe("rules by tool", () => {
  it("match kinds, names and patterns of names", () => {
    const options = { toolKinds: { edit_file: "Edit" } };
    for (const spec of ["Edit(a)", "edit_file(a)", "edit_*(a)", "E*(a)"])
      expect(decide([allow(spec)], "edit_file", { path: "a" }, options).effect).toBe("allow");
    expect(decide([allow("edit(a)")], "edit_file", { path: "a" }, options).effect).toBe("ask");
    expect(decide([allow("Edit(a)")], "edit_file", { path: "a" }).effect).toBe("ask");
  });

  it("give a tool that is called like another kind nothing of that kind's allows", () => {
    const call = { tool: "Read", kind: "Write", input: { path: "a" } };
    expect(evaluateRules({ rules: [allow("Read")], call }).effect).toBe("ask");
    expect(evaluateRules({ rules: [allow("Write")], call }).effect).toBe("allow");
    expect(evaluateRules({ rules: [allow("Write"), deny("Read")], call }).effect).toBe("deny");
  });

  it.each(["", "*", "R*", "mcp__git"])("that allow exactly name no other tool than %j", (name) => {
    const learned = { ...allow("x(a)", { exact: true }), tool: name };
    for (const tool of ["Read", "mcp__git__push"]) {
      const call = { tool, input: { query: "a" } };
      expect(evaluateRules({ rules: [], learned: [learned], call }).effect).toBe("ask");
      const denied = { ...learned, effect: "deny" as const, pattern: "" };
      const named = evaluateRules({ rules: [allow(tool), denied], call }).effect;
      expect(named).toBe(evaluateRules({ rules: [allow(tool), { ...denied, exact: false }], call }).effect);
    }
    expect(
      evaluateRules({ rules: [], learned: [learned], call: { tool: name, input: { query: "a" } } }).effect,
    ).toBe("allow");
  });

  it("do not know what every object has", () => {
    for (const tool of ["constructor", "__proto__", "toString"]) {
      expect(decide([], tool, {}).effect).toBe("ask");
      expect(decide([allow(tool)], tool, {}).effect).toBe("allow");
    }
  });
});
