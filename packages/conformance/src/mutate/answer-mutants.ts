import type { Vector } from "../vector.js";
import { leafChanges } from "./leaf-changes.js";

/**
 * Spoils the named answer fields, one leaf at a time; a field that a vector does not have is passed over. Inputs stay.
 */
export function answerMutants<V extends Vector>(...fields: KeyOfAny<V>[]): (vector: V) => V[] {
  return (vector) => {
    const values = new Map<PropertyKey, unknown>(Object.entries(vector));
    return fields
      .filter((field) => values.has(field))
      .flatMap((field) =>
        leafChanges(values.get(field), String(field)).map(({ path, value }) =>
          mutant(vector, path, { [field]: value } as Partial<V>),
        ),
      );
  };
}

/** The vector with other answers, named after what was changed. */
export function mutant<V extends Vector>(vector: V, changed: string, answers: Partial<V>): V {
  return { ...vector, ...answers, name: `${vector.name} (${changed} changed)` };
}

/** The keys of every member of a union, not only those that all have. */
type KeyOfAny<V> = V extends unknown ? keyof V : never;
