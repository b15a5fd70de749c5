import type {
  Awaitable,
  DispatchOutcome,
  GateEvent,
  GateVerdict,
  JsonValue,
  PendingAsk,
} from "@x/permission-core";
import type { ToolDispatchResult } from "../dispatch-result.js";

export interface ToolPreEvent {
  session_id: string;
  run_id: string;
  agent: string | null;
  call_id: string;
  turn: number;
  tool: string;
  args_digest: string;
  ts: number;
}

export interface ToolPostEvent {
  session_id: string;
  run_id: string;
  agent: string | null;
  call_id: string;
  turn: number;
  tool: string;
  outcome: DispatchOutcome;
  duration_ms: number;
  ts: number;
}

/** How the wait for an ask ended: by an answer, its deadline or a cancel. It holds no prompt, details or reason. */
export interface AskAnsweredEvent {
  /** of the ask as it was parked */
  ask_id: string;
  session_id: string;
  run_id: string;
  agent: string | null;
  call_id: string;
  turn: number;
  tool: string;
  /** `ask_allowed`, `allow_modified`, `ask_denied`, `ask_expired` or `cancelled` */
  verdict: GateVerdict;
  /** null where nobody answered, or whoever did gave no name */
  decided_by: string | null;
  ts: number;
}

/**
 * Watches an engine: for every dispatch `onToolPre`, then `onAskParked` and `onAskAnswered` for each ask put, then
 * `onGateDecision` once where anything gated, then `onToolPost` once. Not awaited by `dispatch`; failures and rejections go to the engine's `onReport`;
 * pending ones are awaited by `close()`. Arguments and output never ride an event: they come apart from it, as copies in the
 * second parameter, so that writing down an event writes down no secrets.
 */
export interface EngineObserver {
  onToolPre?(event: ToolPreEvent, call: { input: JsonValue | undefined }): Awaitable<void>;
  onAskParked?(event: { ask: PendingAsk; ts: number }): Awaitable<void>;
  onAskAnswered?(event: AskAnsweredEvent): Awaitable<void>;
  onGateDecision?(event: GateEvent): Awaitable<void>;
  /** `result` is null where the run was cancelled. */
  onToolPost?(event: ToolPostEvent, call: { result: ToolDispatchResult | null }): Awaitable<void>;
}
