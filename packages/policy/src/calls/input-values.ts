import type { JsonValue } from "@x/permission-core";

/** The texts that a value of a call's input lists; null: it is something else. Empty: it is null. */
export function textsIn(value: JsonValue): readonly string[] | null {
  if (value === null) return [];
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.filter((each) => typeof each === "string");
  return texts.length === value.length ? texts : null;
}

/** undefined: there is no such key of its own. */
export function valueUnder(input: JsonValue, key: string): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return Object.hasOwn(input, key) ? input[key] : undefined;
}
