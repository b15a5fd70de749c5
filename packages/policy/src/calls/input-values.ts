import type { JsonValue } from "@x/permission-core";

/** The texts under a key of a call's input; null: something else stands there. Empty: nothing does, or null. */
export function textsUnder(input: JsonValue, key: string): readonly string[] | null {
  const value = valueUnder(input, key);
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return [value];
  if (!Array.isArray(value) || value.length === 0) return null;
  const texts = value.filter((each) => typeof each === "string");
  return texts.length === value.length ? texts : null;
}

/** undefined: there is no such key of its own. */
export function valueUnder(input: JsonValue, key: string): JsonValue | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  return Object.hasOwn(input, key) ? input[key] : undefined;
}
