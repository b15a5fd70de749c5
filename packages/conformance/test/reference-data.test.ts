import { argsDigest, type JsonValue } from "@x/permission-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type VectorGroupName, vectorGroup, vectorGroups } from "../src/index.js";

afterEach(() => vi.unstubAllEnvs());

type Item = { [field: string]: JsonValue | undefined };

interface Reference {
  /** of the group as it was taken from the reference */
  digest: string;
  /** fields added here: what the reference's prose comes to */
  added?: readonly string[];
  /** whether the reference's items have names */
  named?: boolean;
  /** the item as the reference has it, where a field of ours took the name of one of its own */
  restore?(item: Item): Item;
}

const REFERENCE: { readonly [Name in VectorGroupName]: Reference } = {
  fnv: { digest: "db262b5d0f43c81e" },
  digest: { digest: "a16a3fc67d4373da" },
  "digest-relations": { digest: "128957f233532ffb" },
  "descriptor-digest": {
    digest: "3753a48074ad6eae",
    restore: (item) => ({ ...item, name: (item["schema"] as { tool: string }).tool }),
  },
  "grant-id": {
    digest: "a305252de8400f66",
    added: ["grant_id"],
    restore: (item) => ({ ...item, id: item["grant_id"] }),
  },
  covers: { digest: "26bd74f082491f0f" },
  "project-identity": { digest: "897156f88576227d", added: ["paths", "real_paths"] },
  "grant-ledger": {
    digest: "e327e71d409081e6",
    added: ["given_text", "given_hex", "grants", "operations", "answer"],
    named: true,
  },
  "lattice-pairs": { digest: "cc852d1d4ac1f0af" },
  lattice: { digest: "762c65a9b8ec3975" },
  gate: { digest: "ef2b3e52ae041679", named: true },
  evaluate: { digest: "4c42d49374127990", named: true },
  "hook-builtins": { digest: "8eb7e5b46c5e54fd" },
  "ask-ending": { digest: "3f68932708eef77e", named: true },
  "park-then-pipeline": { digest: "49d243c4e7e4cee3" },
  "engine-run": { digest: "373bf7620ba390a9", named: true },
  "approver-channel": { digest: "e40655ab8543e652", added: ["answer"], named: true },
  serialized: { digest: "62146f998c124b96" },
  "mecatl/evaluate": { digest: "805f72df7f7ffb24", named: true, restore: withBasis },
  "mecatl/learn": { digest: "f1f0d90d2ed05861", named: true, restore: withBasis },
  "mecatl/readonly-shell": { digest: "9c67d17fd8069ed0", named: true, restore: withBasis },
  "mecatl/match": { digest: "6c471d28ec8a3683", named: true, restore: withBasis },
  "mecatl/substitution-readonly": { digest: "cad13e07c60a8d1c", named: true, restore: withBasis },
  "mecatl/floored-allow-safe": { digest: "bb2fbfd2300b6858", named: true, restore: withBasis },
  "mecatl/tool-pattern": { digest: "b6615509c2256e9b", named: true, restore: withBasis },
  "mecatl/parse-spec": { digest: "f7a445cf94bb9a81", named: true, restore: withBasis },
  "mecatl/store": { digest: "a552c867a489cb90", named: true, restore: withBasis },
};

describe("the reference's answers", () => {
  it.each(vectorGroups)("stand in %s as they were taken over", (group) => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const reference = REFERENCE[group];
    const items = vectorGroup(group).map((vector) => asTaken({ ...vector } as unknown as Item, reference));
    expect(argsDigest(items as JsonValue)).toBe(reference.digest);
  });
});

function asTaken(vector: Item, { added = [], named = false, restore }: Reference): Item {
  const { id: _, name, ...fields } = vector;
  const item: Item = named ? { ...fields, name } : fields;
  const whole = restore === undefined ? item : restore({ ...item, id: undefined });
  return Object.fromEntries(Object.entries(whole).filter(([field]) => !added.includes(field)));
}

/** The rule policy's reference calls it `basis` whether a test states the answer. */
function withBasis({ id: _, pinned, ...item }: Item): Item {
  return { ...item, basis: pinned === true ? "test" : "code" };
}
