import * as z from "zod/mini";
import type { PermissionDecision, Rule } from "./policy.js";
import { orNull, parseWire, wholeNumberSchema, wireRecord } from "./wire-schema.js";

const effectSchema = z.enum(["allow", "ask", "deny"]);

/** A rule as stores and remote policies hold it. */
export const ruleSchema: z.ZodMiniType<Rule> = wireRecord({
  scope: z.enum(["managed", "cli", "local-project", "shared-project", "user", "builtin"]),
  tool: z.string(),
  pattern: z.string(),
  effect: effectSchema,
  exact: z.exactOptional(z.boolean()),
  audience: z.exactOptional(z.enum(["all", "main", "subagent"])),
  id: z.exactOptional(z.string()),
  reason: z.exactOptional(z.string()),
  origin: z.exactOptional(wireRecord({ file: z.string(), line: z.exactOptional(wholeNumberSchema) })),
});

const partDecisionSchema = wireRecord({
  text: z.string(),
  effect: effectSchema,
  rule: orNull(ruleSchema),
  reason: z.string(),
});

/** What a policy decided, whole: with the rule that won and the decision on each part of the call. */
export const permissionDecisionSchema: z.ZodMiniType<PermissionDecision> = wireRecord({
  effect: effectSchema,
  reason: z.string(),
  rule: orNull(ruleSchema),
  configuredAsk: z.boolean(),
  flooredConfiguredAllow: z.boolean(),
  parts: z.array(partDecisionSchema),
  basis: z.exactOptional(z.enum(["no-match", "plan-mode", "substitution-floor", "opaque"])),
});

/** Reads a rule; throws code `bad_record` naming the field at fault. */
export function parseRule(value: unknown): Rule {
  return parseWire(ruleSchema, value, "rule");
}

/** Reads a policy's decision; throws code `bad_record` naming the field at fault. */
export function parsePermissionDecision(value: unknown): PermissionDecision {
  return parseWire(permissionDecisionSchema, value, "permission decision");
}
