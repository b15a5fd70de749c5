import * as z from "zod/mini";
import type { Grant, GrantScope } from "./grant.js";
import {
  idSchema,
  jsonValueSchema,
  orNull,
  parseWire,
  wholeNumberSchema,
  wireRecord,
} from "./wire-schema.js";

/** A scope has one tag. A second one beside it is no unknown field to be dropped: what it narrows is not known here. */
const taggedScopeSchema = z.pipe(
  z.unknown().check(z.refine(hasOneField, { error: "has fields beside the scope's tag" })),
  wireRecord({ this_call: wireRecord({ args: jsonValueSchema }, { keepNull: ["args"] }) }),
);

const grantScopeSchema: z.ZodMiniType<GrantScope> = z.union([z.literal("this_tool"), taggedScopeSchema]);

/**
 * A grant as ledgers hold it; gives a deep copy. Absent options read as null and our additions stay left out when unset.
 * The id is taken as it stands.
 */
export const grantSchema: z.ZodMiniType<Grant> = wireRecord({
  id: idSchema,
  tool: z.string(),
  verdict: z.enum(["Allow", "Deny"]),
  scope: grantScopeSchema,
  pinned_descriptor: orNull(z.string()),
  created_at_ms: wholeNumberSchema,
  note: orNull(z.string()),
  pinned_fingerprint: z.exactOptional(z.string()),
  expires_at_ms: z.exactOptional(wholeNumberSchema),
  granted_by: z.exactOptional(z.string()),
});

/** Reads a grant; throws code `bad_record` naming the field at fault. */
export function parseGrant(value: unknown): Grant {
  return parseWire(grantSchema, value, "grant");
}

function hasOneField(value: unknown): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length <= 1;
}
