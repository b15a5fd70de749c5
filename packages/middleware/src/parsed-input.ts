/** What a tool's validator makes of an input. */
export type ParsedInput = { value: unknown } | { error: string };

/** Whether a validator, which may be plain JavaScript, gave one or the other. */
export function isParsedInput(value: unknown): value is ParsedInput {
  if (typeof value !== "object" || value === null) return false;
  return "error" in value ? typeof value.error === "string" : "value" in value;
}
