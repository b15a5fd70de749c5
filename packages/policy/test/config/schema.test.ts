import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { lines, parsed } from "./support/rules-of.js";

const schemaFile = new URL("../../schema/permissions.schema.json", import.meta.url);
const schema = z.fromJSONSchema(JSON.parse(readFileSync(schemaFile, "utf8")));

describe("the JSON Schema of the file", () => {
  it.each([
    {},
    { allow: [], ask: null, deny: ["Shell", "Shell(rm *)", " mcp__git__* ", "*", "*(x)", "Read(a (b))"] },
    { allow: [{ rule: "Shell(x)" }, { rule: "Read", reason: "r", id: "i" }] },
    { subagent: { allow: ["Read"], ask: ["Shell"], deny: ["Write"] } },
    { subagent: null },
  ])("takes what is read without problems: %j", (permissions) => {
    const file = { $schema: "./permissions.schema.json", permissions };
    expect(schema.safeParse(file).success).toBe(true);
    expect(parsed(JSON.stringify(file), { path: "/c/a.json" })).toMatchObject({
      problems: [],
      failClosed: null,
    });
  });

  it.each([
    [{ permissions: { denny: ["Shell"] } }],
    [{ permissions: { deny: "Shell" } }],
    [{ permissions: { deny: [5] } }],
    [{ permissions: { deny: ["Shell(x"] } }],
    [{ permissions: { deny: [""] } }],
    [{ permissions: { deny: ["mcp__*__push"] } }],
    [{ permissions: { deny: ["Shell()"] } }],
    [{ permissions: { deny: ["Shell( rm)"] } }],
    [{ permissions: { deny: ["Shell(rm )"] } }],
    [{ permissions: { deny: ["Sh ell"] } }],
    [{ permissions: { deny: [{ reason: "r" }] } }],
    [{ permissions: { deny: [{ rule: "Shell", when: "x" }] } }],
    [{ permissions: { deny: [{ rule: "Shell", reason: 5 }] } }],
    [{ permissions: { subagent: { subagent: {} } } }],
    [{ permissions: { deny: [`Shell(${"x".repeat(4096)})`] } }],
    [{ permissions: [] }],
    [{ permissions: {}, deny: [] }],
    [{ deny: ["Shell"] }],
    [["Shell"]],
  ])("refuses what is read with problems: %j", (file) => {
    expect(schema.safeParse(file).success).toBe(false);
    const { problems } = parsed(JSON.stringify(file), { path: "/c/a.json" });
    expect(problems.length).toBeGreaterThan(0);
  });

  it("is found by the package's name", () => {
    const path = createRequire(import.meta.url).resolve("@x/policy/permissions.schema.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toHaveProperty("title", "Permission file");
  });

  it("may be named in the file", () => {
    expect(lines(parsed("$schema: x\npermissions: { deny: [A] }"))).toEqual(["deny all A"]);
  });
});
