import forms from "../../vectors/loopctl/serialized.json" with { type: "json" };
import { mutant } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** A value as it leaves the process, the spellings of a type, or that a type has no serial form. */
export type SerializedVector = Vector &
  (
    | { type: "GateDecision" | "PendingAsk" | "ToolSchema"; json: string }
    | { type: "AskResolution" | "GateVerdict" | "GateRuleSource" | "GrantVerdict"; values: readonly string[] }
    | { type: "GrantScope" /** JSON texts */; values: readonly string[] }
    | { type: "PermissionCheck / HookAction / ToolDispatchResult" /** there is no such form */; json: null }
  );

export const serialized: Group<SerializedVector> = {
  vectors: forms as readonly SerializedVector[],
  mutants(vector) {
    if ("values" in vector) return spellingMutants(vector);
    if (vector.json === null) return [];
    // Another value would be read and written as truly as this one: what must be noticed is another form of it.
    const renamed = mutant<SerializedVector>(
      { ...vector, json: withLastFieldRenamed(vector.json) },
      "a field's name",
      {},
    );
    // The descriptor's schema is digested in canonical order, so that the order of its fields is no part of it.
    if (vector.type === "ToolSchema") return [renamed];
    return [
      renamed,
      mutant<SerializedVector>(
        { ...vector, json: withFirstFieldLast(vector.json) },
        "the order of fields",
        {},
      ),
    ];
  },
};

/** A spelling too few, and one that is another word. */
function spellingMutants(
  vector: Extract<SerializedVector, { values: readonly string[] }>,
): SerializedVector[] {
  const others = vector.values.slice(0, -1);
  return [
    mutant<SerializedVector>({ ...vector, values: others }, "number of values", {}),
    mutant<SerializedVector>(
      { ...vector, values: [...others, `${vector.values.at(-1)}_changed`] },
      "last value",
      {},
    ),
  ];
}

function withFirstFieldLast(json: string): string {
  const [first, ...others] = Object.entries(JSON.parse(json) as object);
  return JSON.stringify(Object.fromEntries(first === undefined ? others : [...others, first]));
}

function withLastFieldRenamed(json: string): string {
  const entries = Object.entries(JSON.parse(json) as object);
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([key, value], index) => [index === entries.length - 1 ? `${key}_changed` : key, value]),
    ),
  );
}
