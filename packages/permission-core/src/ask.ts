import type { DispatchOutcome } from "./gate-decision.js";
import type { Awaitable, JsonValue } from "./json.js";

/** For how long an answer holds: this session's rules, exactly this call, or every call of this tool. */
export type Remember = "session" | "this_call" | "this_tool";

/** A question that waits for somebody. The arguments of the call are not in it, only their digest. */
export interface PendingAsk {
  id: string;
  session_id: string;
  run_id: string;
  turn: number;
  call_id: string;
  tool: string;
  /** 16 hex, of the input as it stands where the ask is raised */
  args_digest: string;
  prompt: string;
  /** for approvers only: never in a record */
  details?: string;
  expires_at_ms?: number;
  descriptor_digest?: string;
  /** a remembered approval exists, but the tool's descriptor is no longer the one it was pinned to */
  descriptor_changed?: boolean;
  agent?: string;
  /** an operator's rule demands this question */
  configured_ask?: boolean;
  /** only the substitution floor stands between this call and a configured allow */
  floored_configured_allow?: boolean;
  /** which `remember` values will be honoured */
  rememberable?: Remember[];
}

export type AskResolution = "Approve" | "Deny";

export type AskAnswer = {
  reason?: string;
  decided_by?: string;
  /** the stored ask that was answered, where it differs from the one put (re-attach) */
  ask_id?: string;
} & (
  | { resolution: "Approve"; remember?: Remember; remember_until_ms?: number; modified_input?: never }
  /** approve this input instead; it is judged again */
  | { resolution: "Approve"; modified_input: JsonValue; remember?: never; remember_until_ms?: never }
  | {
      resolution: "Deny";
      remember?: Exclude<Remember, "session">;
      remember_until_ms?: number;
      modified_input?: never;
    }
);

/** Puts asks to whoever may answer them. */
export interface AskResolver {
  /** Whether it needs somebody at this very terminal or window. Left out: true, and an unattended run does not ask it. */
  readonly interactive?: boolean;
  /**
   * Gives the answer. Rejects with code `ask_unavailable` when it cannot put the question to anybody; anything else it
   * throws denies. `signal` fires when the wait ended otherwise; its `reason` is a `PermissionGateError` with code
   * `ask_cancelled`, `ask_expired` or `ask_answered` (by another resolver).
   */
  resolve(
    pending: PendingAsk,
    context: { signal: AbortSignal; isNonInteractive: boolean },
  ): Awaitable<AskResolution | AskAnswer>;
  /** Told once when the call that this ask was about has ended. */
  settled?(pending: PendingAsk, outcome: DispatchOutcome): Awaitable<void>;
}

/** Approves only on exactly `true`, `"Approve"` or an approving answer; anything else denies. */
export type AskFunction = (
  prompt: string,
  toolName: string,
  context: { signal: AbortSignal; ask: PendingAsk },
) => Awaitable<boolean | AskResolution | AskAnswer>;

/** What became of an answer. Only `delivered` reached the waiting call. */
export type AnswerStatus =
  | "delivered"
  | "already_answered"
  | "expired"
  | "cancelled"
  | "unknown"
  | "mismatch";

/**
 * The side that answers. `for await (const ask of approver)` works; leaving it early closes nothing, since closing
 * denies everybody who waits.
 */
export interface Approver extends AsyncIterable<PendingAsk>, AsyncDisposable {
  /** The next ask in park order; null once closed, or once the resolver was closed and the queue is empty. */
  nextPending(options?: { signal?: AbortSignal }): Promise<PendingAsk | null>;
  /** Every ask waiting now, oldest first. */
  list(): Promise<PendingAsk[]>;
  /**
   * Bound to id and digest: hand back the ask that was shown. With an `answerId`, a repeat of the same answer reads
   * `delivered` again.
   */
  answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    answer: AskResolution | AskAnswer,
    options?: { answerId?: string },
  ): Promise<AnswerStatus>;
  /** The reference's form: true exactly when the answer reached a waiting ask. */
  resolve(id: string, answer: AskResolution | AskAnswer): Promise<boolean>;
  close(): Promise<void>;
}
