import { afterEach, describe, expect, it, vi } from "vitest";
import { caseById, deliberateDifferences, describeVectors, vectorGroup, vectorGroups } from "../src/index.js";

afterEach(() => vi.unstubAllEnvs());

type Tests = [title: string, test: () => Promise<void>][];

describe("vectors", () => {
  it("have ids that are unique, in order and of their group", () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const ids = vectorGroups.flatMap((group) =>
      vectorGroup(group).map(({ id, name, source }, index) => {
        const number = String(index + 1).padStart(2, "0");
        const folder = group.startsWith("mecatl/") ? group : `loopctl/${group}`;
        expect(id).toMatch(new RegExp(`^${folder}/${number}-[a-z0-9-]+$`));
        expect(name).not.toBe("");
        expect(source).not.toBe("");
        return id;
      }),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(499);
  });

  it("are fresh copies each time", () => {
    const [first] = vectorGroup("fnv");
    if (first !== undefined) first.hex = "spoilt";
    expect(vectorGroup("fnv")[0]?.hex).not.toBe("spoilt");
  });
});

describe("describeVectors", () => {
  it("defines one test a vector, titled by id and name, which runs that vector", async () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const tests: Tests = [];
    const seen: string[] = [];
    describeVectors("covers", {
      it: (title, test) => tests.push([title, test]),
      run: ({ id }) => {
        seen.push(id);
      },
    });
    for (const [, test] of tests) await test();
    expect(tests.map(([title]) => title)[0]).toBe(
      "[loopctl/covers/01-key-order-does-not-matter] key order does not matter",
    );
    expect(seen).toEqual(vectorGroup("covers").map(({ id }) => id));
  });

  it("leaves out the vectors that are tested elsewhere", () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const titles: string[] = [];
    describeVectors("fnv", {
      it: (title) => titles.push(title),
      run: () => undefined,
      only: ({ utf8 }) => utf8 === "a",
    });
    expect(titles).toEqual([expect.stringMatching(/^\[loopctl\/fnv\/01-/)]);
  });

  it("asserts of a deliberate difference that it is not met, and says so when it is", async () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const id = "loopctl/approver-channel/14-drop-log";
    const outcome = async (run: () => void | Promise<void>) => {
      const tests: Tests = [];
      describeVectors("approver-channel", { it: (title, test) => tests.push([title, test]), run });
      return tests.find(([title]) => title.startsWith(`[${id}]`))?.[1]();
    };
    await expect(
      outcome(() => {
        throw new Error("not met");
      }),
    ).resolves.toBeUndefined();
    await expect(outcome(() => Promise.reject(new Error("not met")))).resolves.toBeUndefined();
    await expect(outcome(() => undefined)).rejects.toThrow(/deliberate difference.*take it off the list/);
  });
});

describe("the deliberate differences", () => {
  it("are few, each of a vector or a case, each with a reason", () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const known = new Set(vectorGroups.flatMap((group) => vectorGroup(group).map(({ id }) => id)));
    const ids = deliberateDifferences.map(({ id }) => id);
    expect(ids.filter((id) => id.startsWith("loopctl/")).length).toBeLessThanOrEqual(15);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !known.has(id) && caseById(id).id !== id)).toEqual([]);
    for (const { section, reason } of deliberateDifferences) {
      expect(section).not.toBe("");
      expect(reason.length).toBeGreaterThan(20);
    }
  });
});
