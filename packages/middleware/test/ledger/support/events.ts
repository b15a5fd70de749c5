import type { GateDecision, GateEvent, PendingAsk } from "@x/permission-core";
import type { ToolPostEvent, ToolPreEvent } from "../../../src/engine/observer.js";

const about = { session_id: "s", run_id: "r", agent: null, call_id: "c", turn: 1 };

export const pre: ToolPreEvent = { ...about, tool: "t", args_digest: "f1ed61cd8ca5e26b", ts: 10 };

export const post: ToolPostEvent = { ...about, tool: "t", outcome: "completed", duration_ms: 5, ts: 20 };

export const decision: GateDecision = {
  tool: "t",
  args_digest: "f1ed61cd8ca5e26b",
  verdict: "allow",
  rule_id: "middleware",
  rule_source: "middleware",
  matched_pattern: null,
  reason: null,
  ts: 15,
};

export const gate: GateEvent = {
  ...about,
  decision,
  trail: [decision],
  effective_args_digest: "f1ed61cd8ca5e26b",
  ask_id: null,
  decided_by: null,
};

export const ask: PendingAsk = {
  id: "a",
  session_id: "s",
  run_id: "r",
  turn: 1,
  call_id: "c",
  tool: "t",
  args_digest: "f1ed61cd8ca5e26b",
  prompt: "Run it?",
};
