import {
  cloneJson,
  type DispatchOutcome,
  type GateVerdict,
  type JsonValue,
  type PendingAsk,
} from "@x/permission-core";
import type { DispatchFacts } from "../dispatch-context.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { memberGetter } from "../member-getter.js";
import type { ObserverHub } from "./observer-hub.js";
import { copyOfResult } from "./result-copy.js";

// Each event spells its fields out: spreading a part that they share costs more than all the rest of a decision.
// Observers only watch: each gets events of its own, and copies of arguments and outputs, made when it looks at them.

export function announceToolPre(hub: ObserverHub, facts: DispatchFacts, input: JsonValue | undefined): void {
  if (hub.isEmpty) return;
  const { session } = facts;
  const ts = facts.environment.clock.now();
  hub.announce((observer) =>
    observer.onToolPre?.(
      {
        session_id: session.sessionId,
        run_id: session.runId,
        agent: session.agent ?? null,
        call_id: facts.callId,
        turn: facts.turn,
        tool: facts.toolName,
        args_digest: facts.argsDigest,
        ts,
      },
      new ShownCall(input),
    ),
  );
}

export function announceAskParked(hub: ObserverHub, ask: PendingAsk, ts: number): void {
  hub.announce((observer) => observer.onAskParked?.({ ask: structuredClone(ask), ts }));
}

export function announceAskAnswered(
  hub: ObserverHub,
  ask: PendingAsk,
  { verdict, decidedBy, ts }: { verdict: GateVerdict; decidedBy: string | null; ts: number },
): void {
  hub.announce((observer) =>
    observer.onAskAnswered?.({
      ask_id: ask.id,
      session_id: ask.session_id,
      run_id: ask.run_id,
      agent: ask.agent ?? null,
      call_id: ask.call_id,
      turn: ask.turn,
      tool: ask.tool,
      verdict,
      decided_by: decidedBy,
      ts,
    }),
  );
}

/** Stamps and announces the deciding record; where nothing gated there is none, and no event. */
export function announceDecision(hub: ObserverHub, facts: DispatchFacts): void {
  const { recorder } = facts;
  const decision = recorder.stamp(facts.environment.clock.now());
  if (decision === null || hub.isEmpty) return;
  const { session } = facts;
  const answered = recorder.decidedBy();
  hub.announce((observer) =>
    observer.onGateDecision?.({
      session_id: session.sessionId,
      run_id: session.runId,
      agent: session.agent ?? null,
      call_id: facts.callId,
      turn: facts.turn,
      decision: { ...decision },
      trail: recorder.trail.map((record) => ({ ...record })),
      effective_args_digest: facts.state.effectiveDigest,
      ask_id: answered?.askId ?? null,
      decided_by: answered?.decidedBy ?? null,
    }),
  );
}

export function announceToolPost(
  hub: ObserverHub,
  facts: DispatchFacts,
  outcome: DispatchOutcome,
  result: ToolDispatchResult | null,
): void {
  if (hub.isEmpty) return;
  const { session } = facts;
  const ts = facts.environment.clock.now();
  hub.announce((observer) =>
    observer.onToolPost?.(
      {
        session_id: session.sessionId,
        run_id: session.runId,
        agent: session.agent ?? null,
        call_id: facts.callId,
        turn: facts.turn,
        tool: facts.toolName,
        outcome,
        duration_ms: result?.durationMs ?? 0,
        ts,
      },
      new ShownResult(result),
    ),
  );
}

class ShownCall {
  static readonly #INPUT = memberGetter(ShownCall.prototype, "input");
  readonly #input: JsonValue | undefined;

  constructor(input: JsonValue | undefined) {
    this.#input = input;
    Object.defineProperty(this, "input", ShownCall.#INPUT);
  }

  get input(): JsonValue | undefined {
    return this.#input === undefined ? undefined : cloneJson(this.#input);
  }
}

class ShownResult {
  static readonly #RESULT = memberGetter(ShownResult.prototype, "result");
  readonly #result: ToolDispatchResult | null;

  constructor(result: ToolDispatchResult | null) {
    this.#result = result;
    Object.defineProperty(this, "result", ShownResult.#RESULT);
  }

  get result(): ToolDispatchResult | null {
    return this.#result === null ? null : copyOfResult(this.#result);
  }
}
