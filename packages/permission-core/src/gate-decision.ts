/** How a call was decided. Wire spelling: snake_case. */
export type GateVerdict =
  | "allow"
  | "allow_modified"
  | "deny"
  | "ask"
  | "ask_allowed"
  | "ask_denied"
  | "ask_unresolved"
  | "ask_expired"
  | "cancelled";

/** What decided. `hook` and `grant` are additions to the reference's four: a strict reader of it refuses those records. */
export type GateRuleSource = "middleware" | "context" | "ask_resolver" | "engine" | "hook" | "grant";

/** The record of one decision. The arguments of the call are not in it, only their digest. */
export interface GateDecision {
  tool: string;
  /** 16 hex, of the call that the model made; `""` where its input is no JSON value */
  args_digest: string;
  verdict: GateVerdict;
  rule_id: string;
  rule_source: GateRuleSource;
  matched_pattern: string | null;
  reason: string | null;
  /** Unix ms, 0 until emitted */
  ts: number;
}

/** What observers and ledgers get beside the decision. */
export interface GateEvent {
  session_id: string;
  run_id: string;
  turn: number;
  call_id: string;
  agent: string | null;
  decision: GateDecision;
  /** every decision of the dispatch, in order, outermost first */
  trail: GateDecision[];
  /** 16 hex, of the input that ran; null where nothing ran */
  effective_args_digest: string | null;
  ask_id: string | null;
  decided_by: string | null;
}

/** How the call that an ask was about ended. */
export type DispatchOutcome = "completed" | "failed" | "denied" | "stopped" | "cancelled";
