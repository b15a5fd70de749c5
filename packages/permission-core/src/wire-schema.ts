import * as z from "zod/mini";
import { cloneJson } from "./clone-json.js";
import { isPermissionGateError, PermissionGateError } from "./errors.js";
import type { JsonValue } from "./json.js";

/** Characters, counted as code points, that an id may have. */
const LONGEST_ID = 128;

/** The id of a session, a run, an ask or a grant: any string of up to 128 characters. */
export const idSchema: z.ZodMiniType<string> = z
  .string()
  .check(z.refine(isShort, { error: `has more than ${LONGEST_ID} characters` }));

/** A count, or a time in whole milliseconds; not negative. */
export const wholeNumberSchema: z.ZodMiniType<number> = z.int().check(z.nonnegative());

/** Any JSON value, `null` included; gives a deep copy. */
export const jsonValueSchema: z.ZodMiniType<JsonValue> = z.pipe(
  z.unknown(),
  z.transform((value: unknown, context): JsonValue => {
    if (value === undefined) {
      // Every record without the field comes by here: no error is made for it, which takes longer than all else.
      context.issues.push({ code: "custom", message: "Not a JSON value: undefined at $", input: value });
      return null;
    }
    try {
      return cloneJson(value);
    } catch (error) {
      if (!isPermissionGateError(error)) throw error;
      context.issues.push({ code: "custom", message: error.message, input: value });
      return null;
    }
  }),
);

/** What {@link wireRecord} gives for a shape. */
type RecordOf<Shape extends z.core.$ZodLooseShape> = z.output<ReturnType<typeof z.object<Shape>>>;

/**
 * A record as it travels. Only own fields that `shape` names are read, each once; the result has them in the order of
 * `shape`. A field that is `undefined` or `null` counts as absent, except those in `keepNull`, whose `null` is a value.
 */
export function wireRecord<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  { keepNull = [] }: { keepNull?: readonly (keyof Shape & string)[] } = {},
): z.ZodMiniType<RecordOf<Shape>> {
  const keys = Object.keys(shape);
  const fields: z.ZodMiniType<RecordOf<Shape>> = z.object(shape);
  const ownFields = z.transform((value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const own: { [key: string]: unknown } = Object.create(null);
    for (const key of keys) {
      if (!Object.hasOwn(value, key)) continue;
      const field = (value as { [key: string]: unknown })[key];
      if (field !== undefined && (field !== null || keepNull.includes(key))) own[key] = field;
    }
    return own;
  });
  return z.pipe(ownFields, fields);
}

/** A field that is written as `null` where it is absent. */
export function orNull<Value>(schema: z.ZodMiniType<Value>): z.ZodMiniType<Value | null> {
  return z._default(z.nullable(schema), null);
}

/**
 * Reads `value` by `schema`. A mismatch throws {@link PermissionGateError} with code `bad_record`, whose message names
 * `what` and the path of the field at fault.
 */
export function parseWire<Value>(schema: z.ZodMiniType<Value>, value: unknown, what: string): Value {
  let result: z.core.util.SafeParseResult<Value>;
  try {
    result = z.safeParse(schema, value);
  } catch (cause) {
    throw new PermissionGateError("bad_record", `${what}: cannot be read`, { cause });
  }
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const { path, message } = issue === undefined ? { path: [], message: "is not valid" } : deepest(issue);
  const place = path.length === 0 ? what : `${what}.${path.map(String).join(".")}`;
  throw new PermissionGateError("bad_record", `${place}: ${message}`, { cause: result.error });
}

/** Of the ways in which a union's options failed, the one that got furthest into the value. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  let found = { path: issue.path, message: describe(issue) };
  if (issue.code !== "invalid_union") return found;
  for (const inner of issue.errors.flat()) {
    const { path, message } = deepest(inner);
    if (path.length > 0 && issue.path.length + path.length > found.path.length) {
      found = { path: [...issue.path, ...path], message };
    }
  }
  return found;
}

/** The words for an issue: the small build of zod brings none of its own. */
function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `is not of type ${issue.expected}`;
    case "invalid_value":
      return `is none of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return `is below ${issue.minimum}`;
    case "too_big":
      return `is above ${issue.maximum}`;
    case "custom":
      return issue.message;
    default:
      return "is not valid";
  }
}

function isShort(text: string): boolean {
  return text.length <= LONGEST_ID || (text.length <= 2 * LONGEST_ID && [...text].length <= LONGEST_ID);
}
