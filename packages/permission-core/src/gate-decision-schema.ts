import * as z from "zod/mini";
import type { GateDecision, GateEvent } from "./gate-decision.js";
import { idSchema, orNull, parseWire, wholeNumberSchema, wireRecord } from "./wire-schema.js";

/**
 * A record as ledgers hold it. Absent options read as null; unknown fields are dropped. Names that a host or a model
 * provider chooses (tools, rules, calls) have no length limit.
 */
export const gateDecisionSchema: z.ZodMiniType<GateDecision> = wireRecord({
  tool: z.string(),
  args_digest: z.string(),
  verdict: z.enum([
    "allow",
    "allow_modified",
    "deny",
    "ask",
    "ask_allowed",
    "ask_denied",
    "ask_unresolved",
    "ask_expired",
    "cancelled",
  ]),
  rule_id: z.string(),
  rule_source: z.enum(["middleware", "context", "ask_resolver", "engine", "hook", "grant"]),
  matched_pattern: orNull(z.string()),
  reason: orNull(z.string()),
  ts: wholeNumberSchema,
});

/** A record with what surrounds it, as observers get it. */
export const gateEventSchema: z.ZodMiniType<GateEvent> = wireRecord({
  session_id: idSchema,
  run_id: idSchema,
  turn: wholeNumberSchema,
  call_id: z.string(),
  agent: orNull(z.string()),
  decision: gateDecisionSchema,
  trail: z.array(gateDecisionSchema),
  effective_args_digest: orNull(z.string()),
  ask_id: orNull(idSchema),
  decided_by: orNull(z.string()),
});

/** Reads a record; throws code `bad_record` naming the field at fault. */
export function parseGateDecision(value: unknown): GateDecision {
  return parseWire(gateDecisionSchema, value, "gate decision");
}

/** Reads an event; throws code `bad_record` naming the field at fault. */
export function parseGateEvent(value: unknown): GateEvent {
  return parseWire(gateEventSchema, value, "gate event");
}
