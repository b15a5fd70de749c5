import type { Awaitable, DispatchOutcome, GateEvent, JsonValue, PendingAsk } from "@x/permission-core";
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

/**
 * Watches an engine: for every dispatch `onToolPre`, then `onAskParked` for each ask put, then `onGateDecision` once where
 * anything gated, then `onToolPost` once. Not awaited by `dispatch`; failures and rejections go to the engine's `onReport`;
 * pending ones are awaited by `close()`. Arguments and output never ride an event: they come apart from it, as copies in the
 * second parameter, so that writing down an event writes down no secrets.
 */
export interface EngineObserver {
  onToolPre?(event: ToolPreEvent, call: { input: JsonValue | undefined }): Awaitable<void>;
  onAskParked?(event: { ask: PendingAsk; ts: number }): Awaitable<void>;
  onGateDecision?(event: GateEvent): Awaitable<void>;
  /** `result` is null where the run was cancelled. */
  onToolPost?(event: ToolPostEvent, call: { result: ToolDispatchResult | null }): Awaitable<void>;
}
