import { describe, expect, it } from "vitest";
import { toolMatches } from "../../src/patterns/tool-pattern.js";

describe("toolMatches", () => {
  it.each([
    ["", "Read", true],
    ["Read", "Read", true],
    ["Read", "read", false],
    ["Read", "ReadAll", false],
    ["*", "Read", true],
    ["mcp__notes__*", "mcp__notes__append", true],
    ["mcp__crm__find_*", "mcp__crm__find_person", true],
    ["mcp__crm__find_*", "mcp__crm__delete", false],
    ["mcp__git", "mcp__git__push", true],
    ["mcp__git", "mcp__github__push", false],
    ["mcp__my_server", "mcp__my_server__x", true],
    ["mcp__git__push", "mcp__git__push__force", false],
    ["git", "git__push", false],
    ["mcp__", "mcp____x", false],
    ["*__push", "mcp__git__push", false],
  ])("%j names %j: %s", (ruleTool, tool, expected) => {
    expect(toolMatches(ruleTool, tool)).toBe(expected);
  });

  it.each(["", "*", "R*", "mcp__git"])("takes %j for that very name where it is exact", (ruleTool) => {
    for (const tool of ["Read", "mcp__git__push"])
      expect(toolMatches(ruleTool, tool, { exact: true })).toBe(false);
    expect(toolMatches(ruleTool, ruleTool, { exact: true })).toBe(true);
  });
});
