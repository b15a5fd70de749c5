import { describe, expect, it } from "vitest";
import { lines, parsed } from "../support/rules-of.js";

describe("a file with more than 1,024 rules", () => {
  it("counts denies first, then asks, and leaves out the allows beyond", () => {
    const set = parsed(file({ allow: many("A", 1000), ask: many("B", 20), deny: many("C", 20) }), JSON_FILE);
    expect(set.rules).toHaveLength(1024);
    expect(lines(set).filter((line) => line.startsWith("deny"))).toHaveLength(20);
    expect(lines(set).filter((line) => line.startsWith("ask"))).toHaveLength(20);
    expect(set.rules.at(-1)?.pattern).toBe("983");
    expect(set.failClosed).toBeNull();
    expect(set.problems).toEqual([
      {
        file: "/c/settings.json",
        line: 988,
        column: 4,
        text: '"A(984)"',
        message: expect.stringContaining("holds 1040 rules and only 1024 are read") as string,
      },
    ]);
  });

  it.each(["deny", "ask"])("fails closed where a %s is beyond", (effect) => {
    const set = parsed(file({ [effect]: many("A", 1025) }), JSON_FILE);
    expect(set.rules).toHaveLength(1024);
    expect(set.failClosed).toContain("holds 1025 rules and only 1024 are read");
    expect(set.problems).toMatchObject([{ line: 1028, column: 4, text: '"A(1024)"' }]);
    expect(set.problems[0]?.message).toContain("Until then everything asks.");
  });

  it("takes 1,024 of them", () => {
    const set = parsed(file({ allow: many("A", 1000), deny: many("B", 24) }), JSON_FILE);
    expect(set).toMatchObject({ problems: [], failClosed: null });
    expect(set.rules).toHaveLength(1024);
  });

  it("counts the denies of child agents before any allow", () => {
    const permissions = { allow: many("A", 1024), subagent: { deny: ["B"] } };
    const set = parsed(JSON.stringify({ permissions }), JSON_FILE);
    expect(lines(set)[0]).toBe("deny subagent B");
    expect(set.failClosed).toBeNull();
  });
});

describe("the size of a file", () => {
  const start = "permissions: { deny: [Shell] }\n#";

  it("may be 256 KiB", () => {
    expect(parsed(start + "x".repeat(262_144 - start.length))).toMatchObject({
      problems: [],
      failClosed: null,
    });
  });

  it("fails closed beyond that", () => {
    expect(parsed(start + "x".repeat(262_145 - start.length)).failClosed).toContain("is larger than 256 KiB");
  });

  it("is counted in bytes", () => {
    expect(parsed(start + "é".repeat(131_072)).failClosed).toContain("is larger than 256 KiB");
  });
});

it("tells at most a hundred problems of a file, and how many more there are", () => {
  const set = parsed(file({ allow: Array.from({ length: 5000 }, () => "(") }), JSON_FILE);
  expect(set.problems).toHaveLength(101);
  expect(set.problems.at(-1)?.message).toContain("4900 more problems");
});

const JSON_FILE = { path: "/c/settings.json" };

function many(tool: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${tool}(${index})`);
}

function file(permissions: object): string {
  return JSON.stringify({ permissions }, null, 1);
}
