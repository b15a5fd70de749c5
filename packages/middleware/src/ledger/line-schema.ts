import { gateEventSchema } from "@x/permission-core";
import * as z from "zod/mini";
import { zodProblems } from "../zod-problems.js";
import type { LedgerLine } from "./ledger-line.js";

const wholeNumber = z.int().check(z.nonnegative());
const textOrNull = z.nullable(z.string());
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const torn = z.object({ bytes: wholeNumber, sha256 });

const call = {
  session_id: z.string(),
  run_id: z.string(),
  agent: textOrNull,
  call_id: z.string(),
  turn: wholeNumber,
  tool: z.string(),
  ts: wholeNumber,
};

/** A value that was parsed from JSON: it is one already. */
const recorded = <Name extends "input" | "output" | "args">(name: Name) => ({
  [name]: z.exactOptional(z.unknown()),
  [`${name}_not_json`]: z.exactOptional(z.literal(true)),
  [`${name}_too_large`]: z.exactOptional(z.literal(true)),
});

const grant = z.object({
  grant_id: z.string(),
  tool: z.string(),
  verdict: z.enum(["Allow", "Deny"]),
  scope: z.enum(["this_tool", "this_call"]),
  pinned_descriptor: textOrNull,
  pinned_fingerprint: textOrNull,
  created_at_ms: wholeNumber,
  expires_at_ms: z.nullable(wholeNumber),
  granted_by: textOrNull,
  ts: wholeNumber,
  ...recorded("args"),
});

const FIELDS: { readonly [Type in LedgerLine["type"]]: z.ZodMiniType } = {
  "tool.call": z.object({ ...call, args_digest: z.string(), ...recorded("input") }),
  "ask.parked": z.object({
    ...call,
    ask_id: z.string(),
    args_digest: z.string(),
    prompt: z.string(),
    expires_at_ms: z.nullable(wholeNumber),
  }),
  "gate.decision": gateEventSchema,
  "tool.result": z.object({
    ...call,
    outcome: z.enum(["completed", "failed", "denied", "stopped", "cancelled"]),
    duration_ms: z.number(),
    ...recorded("output"),
  }),
  "grant.saved": grant,
  "grant.revoked": grant,
  "grant.expired": grant,
  "grant.cleared": z.object({ count: wholeNumber, ts: wholeNumber }),
  "ledger.start": z.object({
    previous: z.nullable(z.object({ file: z.string(), hash: sha256 })),
    torn: z.exactOptional(torn),
    ts: wholeNumber,
  }),
  "ledger.torn": z.object({ torn, ts: wholeNumber }),
  "ledger.lost": z.object({ lines: wholeNumber, ts: wholeNumber }),
};

export function isLineType(type: unknown): type is LedgerLine["type"] {
  return typeof type === "string" && Object.hasOwn(FIELDS, type);
}

/** What stands in the fields of a line of that type, apart from those that it does not know; or the first problem. */
export function readFields(
  type: LedgerLine["type"],
  value: object,
): { fields: object } | { problem: string } {
  const parsed = z.safeParse(FIELDS[type], value);
  if (parsed.success) return { fields: parsed.data as object };
  const [problem] = zodProblems(parsed.error.issues);
  return { problem: `${problem?.path.map(String).join(".")}: ${problem?.message}` };
}
