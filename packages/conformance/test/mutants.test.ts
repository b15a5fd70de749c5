import { canonicalJson } from "@x/permission-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  deliberateDifferences,
  type Vector,
  type VectorGroupName,
  vectorGroup,
  vectorGroups,
} from "../src/index.js";
import { leafChanges } from "../src/mutate/leaf-changes.js";

afterEach(() => vi.unstubAllEnvs());

/** What a test is told to do: it must be the same in a mutated run. */
const INPUTS: { readonly [Name in VectorGroupName]: readonly string[] } = {
  fnv: ["utf8"],
  digest: ["json"],
  "digest-relations": ["left", "right"],
  "descriptor-digest": ["description", "schema", "input_schema_json"],
  "grant-id": ["tool", "verdict", "scope_json"],
  covers: ["grant_tool", "scope_json", "call_tool", "args_json"],
  "project-identity": ["given", "paths", "real_paths"],
  "grant-ledger": ["saves", "steps", "given", "given_text", "given_hex", "grants", "operations"],
  "lattice-pairs": ["first_attached", "second_attached"],
  lattice: ["layers", "tool", "input"],
  gate: ["check", "resolver", "cancel", "tool", "input"],
  evaluate: ["layer", "tool", "input"],
  "hook-builtins": ["hook", "tool"],
  "ask-ending": ["given", "tool", "input", "prompt"],
  "park-then-pipeline": ["hook", "pipeline_gate", "input"],
  "engine-run": ["clock_ms", "gate"],
  "approver-channel": ["steps"],
  serialized: ["type"],
  "mecatl/evaluate": ["mode", "audience", "rules", "learned", "call"],
  "mecatl/learn": ["call"],
  "mecatl/readonly-shell": ["command"],
  "mecatl/match": ["pattern", "text", "exact"],
  "mecatl/substitution-readonly": ["segment"],
  "mecatl/floored-allow-safe": ["segment"],
  "mecatl/tool-pattern": ["call"],
  "mecatl/parse-spec": ["spec"],
  // its answers stand in its steps
  "mecatl/store": [],
};

const isDifference = (id: string) => deliberateDifferences.some((difference) => difference.id === id);

describe.each(vectorGroups)("a mutated run of %s", (group) => {
  const mutated = (): Vector[] => {
    vi.stubEnv("VECTORS_MUTATED", "1");
    const vectors = vectorGroup(group);
    vi.stubEnv("VECTORS_MUTATED", "");
    return vectors;
  };

  it("changes an answer of every vector but the deliberate differences", () => {
    vi.stubEnv("VECTORS_MUTATED", "");
    const expected = vectorGroup(group)
      .map(({ id }) => id)
      .filter((id) => !isDifference(id));
    expect([...new Set(mutated().map(({ id }) => id))]).toEqual(expected);
  });

  it("keeps the inputs, and changes something else each time", () => {
    const originals = new Map(
      vectorGroup(group).map((vector: Vector): [string, Vector] => [vector.id, vector]),
    );
    const seen = new Set<string>();
    for (const mutant of mutated()) {
      const original = originals.get(mutant.id);
      expect(pick(mutant, INPUTS[group])).toEqual(pick(original, INPUTS[group]));
      const { name, ...rest } = mutant;
      expect(name).toMatch(/ changed\)$/);
      // As text, since the order of fields is an answer too.
      const text = JSON.stringify(rest);
      expect(text).not.toBe(JSON.stringify({ ...original, name: undefined }));
      expect(seen).not.toContain(text);
      seen.add(text);
    }
  });
});

describe("leafChanges", () => {
  it("changes one leaf at a time and leaves the value alone", () => {
    const value = {
      verdict: "allow",
      ts: 0,
      reason: null,
      list: ["A", "B"],
      rows: [{ ok: true }, { ok: false }],
    };
    const before = canonicalJson(value);
    expect(leafChanges(value, "expect").map(({ path, value: changed }) => [path, changed])).toEqual([
      ["expect.verdict", { ...value, verdict: "deny" }],
      ["expect.ts", { ...value, ts: 1 }],
      ["expect.reason", { ...value, reason: "changed" }],
      ["expect.list[1]", { ...value, list: ["A", "A"] }],
      ["expect.rows[0].ok", { ...value, rows: [{ ok: false }, { ok: false }] }],
      ["expect.rows[1].ok", { ...value, rows: [{ ok: true }, { ok: true }] }],
    ]);
    expect(canonicalJson(value)).toBe(before);
  });

  it("fills what is empty, flips hex digits and appends to other text", () => {
    expect(leafChanges([], "x")).toEqual([{ path: "x", value: ["changed"] }]);
    expect(leafChanges({}, "x")).toEqual([{ path: "x", value: { changed: true } }]);
    expect(leafChanges("0123456789abcdef", "x")[0]?.value).toBe("fedcba9876543210");
    expect(leafChanges("", "x")[0]?.value).toBe(" (changed)");
  });
});

function pick(vector: Vector | undefined, fields: readonly string[]): unknown {
  const values: { [field: string]: unknown } = { ...vector };
  return fields.map((field) => values[field]);
}
