import { readFile } from "node:fs/promises";
import { afterEach, expect, it, vi } from "vitest";
import * as surface from "../src/index.js";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("exports these names and no others", () => {
  expect(Object.keys(surface).sort()).toEqual([
    "askChannelSuite",
    "caseById",
    "claimStoreSuite",
    "deliberateDifferences",
    "describeVectors",
    "grantStoreSuite",
    "permissionStoreSuite",
    "vectorGroup",
    "vectorGroups",
  ]);
});

it("needs no process and no module of Node", async () => {
  for (const file of ["index.js", "index.cjs"]) {
    const built = await readFile(new URL(`../dist/${file}`, import.meta.url), "utf8");
    expect(built).not.toMatch(/["']node:/);
  }
  vi.stubGlobal("process", undefined);
  const count = surface.vectorGroup("fnv").length;
  vi.unstubAllGlobals();
  expect(count).toBe(7);
});

it("gives a case by its id, as a copy, and refuses an unknown one", () => {
  const first = surface.caseById("CASE-062");
  first.symptom = "spoilt";
  expect(surface.caseById("CASE-062")).toMatchObject({ id: "CASE-062", kind: "precedence" });
  expect(surface.caseById("CASE-062").symptom).not.toBe("spoilt");
  for (const id of ["CASE-999", "constructor", ""]) {
    expect(() => surface.caseById(id)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  }
});
