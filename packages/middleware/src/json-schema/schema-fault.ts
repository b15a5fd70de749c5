import type { SchemaDraft } from "@cfworker/json-schema";

/** Null where the value of a keyword is well formed, else what it should be. */
type Expectation = (value: unknown, draft: SchemaDraft) => string | null;

const TYPES: readonly unknown[] = ["array", "boolean", "integer", "null", "number", "object", "string"];

const expect =
  (expected: string, holds: (value: unknown) => boolean): Expectation =>
  (value) =>
    holds(value) ? null : expected;

const text = expect("a text", (value) => typeof value === "string");
const flag = expect("true or false", (value) => typeof value === "boolean");
const count = expect(
  "a whole number, 0 or more",
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
const number = expect("a number", (value) => typeof value === "number");
const pattern = expect("a regular expression (with the flag u)", isPattern);
const schema = expect("a schema", isSchema);
const schemas = expect("a list of schemas", (value) => isListOf(value, isSchema) && value.length > 0);
const schemaOrSchemas = expect(
  "a schema, or a list of them",
  (value) => isSchema(value) || isListOf(value, isSchema),
);
const schemaMap = expect("schemas by name", (value) => isMapOf(value, isSchema));
const names = expect("a list of names", isNames);

const exclusiveBound: Expectation = (value, draft) =>
  draft === "4" ? flag(value, draft) : number(value, draft);

/** By keyword. What is not here is an annotation, or is not in the way of judging an input. */
const KEYWORDS: ReadonlyMap<string, Expectation> = new Map<string, Expectation>([
  [
    "type",
    expect(
      "a type, or a list of them",
      (value) => TYPES.includes(value) || (isListOf(value, isType) && value.length > 0),
    ),
  ],
  ["enum", expect("a list", Array.isArray)],
  ["required", names],
  ["properties", schemaMap],
  ["patternProperties", expect("schemas by regular expression (with the flag u)", isPatternMap)],
  ["$defs", schemaMap],
  ["definitions", schemaMap],
  ["dependentSchemas", schemaMap],
  ["dependentRequired", expect("lists of names by name", (value) => isMapOf(value, isNames))],
  [
    "dependencies",
    expect("schemas or lists of names by name", (value) =>
      isMapOf(value, (entry) => isSchema(entry) || isNames(entry)),
    ),
  ],
  ["items", schemaOrSchemas],
  ["prefixItems", schemas],
  ["allOf", schemas],
  ["anyOf", schemas],
  ["oneOf", schemas],
  ["not", schema],
  ["if", schema],
  ["then", schema],
  ["else", schema],
  ["contains", schema],
  ["propertyNames", schema],
  ["additionalItems", schema],
  ["additionalProperties", schema],
  ["unevaluatedItems", schema],
  ["unevaluatedProperties", schema],
  ["minLength", count],
  ["maxLength", count],
  ["minItems", count],
  ["maxItems", count],
  ["minContains", count],
  ["maxContains", count],
  ["minProperties", count],
  ["maxProperties", count],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", exclusiveBound],
  ["exclusiveMaximum", exclusiveBound],
  ["multipleOf", expect("a number above 0", (value) => typeof value === "number" && value > 0)],
  ["uniqueItems", flag],
  ["pattern", pattern],
  ["format", text],
  ["$ref", text],
  ["$id", text],
  ["$anchor", text],
  // The validator passes these over, and a schema that leans on them would be taken for a weaker one.
  ["$dynamicRef", () => "left out: dynamic references are not supported"],
  ["$recursiveRef", expect('"#"', (value) => value === "#")],
]);

/** What is wrong with the keywords of one schema object (not of those within), or null. */
export function schemaFault(
  keywords: { readonly [keyword: string]: unknown },
  draft: SchemaDraft,
): string | null {
  for (const [keyword, value] of Object.entries(keywords)) {
    const expected = KEYWORDS.get(keyword)?.(value, draft) ?? null;
    if (expected !== null) return `'${keyword}' should be ${expected}`;
  }
  return null;
}

/** Whether `value` has the outside of a schema: an object, or true or false. */
export function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isObject(value);
}

function isObject(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isType(value: unknown): boolean {
  return TYPES.includes(value);
}

function isListOf(value: unknown, holds: (entry: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(holds);
}

function isMapOf(value: unknown, holds: (entry: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(holds);
}

function isNames(value: unknown): boolean {
  return isListOf(value, (entry) => typeof entry === "string");
}

function isPatternMap(value: unknown): boolean {
  return isObject(value) && Object.entries(value).every(([key, entry]) => isPattern(key) && isSchema(entry));
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}
