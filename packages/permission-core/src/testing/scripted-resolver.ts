import type { AskAnswer, AskResolution, AskResolver, PendingAsk } from "../ask.js";
import { PermissionGateError } from "../errors.js";
import type { DispatchOutcome } from "../gate-decision.js";
import type { Awaitable } from "../json.js";

/** An answer; a function that gives one, or throws; or `"never"`: no answer, not even once the wait was called off. */
export type ScriptedAnswer =
  | AskResolution
  | AskAnswer
  | "never"
  | ((
      ask: PendingAsk,
      context: { signal: AbortSignal; isNonInteractive: boolean },
    ) => Awaitable<AskResolution | AskAnswer>);

export interface ScriptedResolver extends AskResolver {
  readonly interactive: boolean;
  /** every ask it was put, in order, as it was at that moment */
  readonly asks: readonly PendingAsk[];
  /** every ask whose call ended, in order */
  readonly outcomes: readonly { ask: PendingAsk; outcome: DispatchOutcome }[];
}

/**
 * A resolver that gives `answers` one after the other, and then has nobody left to ask: it rejects with code
 * `ask_unavailable`. `interactive` is false unless told otherwise.
 */
export function scriptedResolver(
  answers: Iterable<ScriptedAnswer>,
  { interactive = false }: { interactive?: boolean } = {},
): ScriptedResolver {
  const script = answers[Symbol.iterator]();
  const asks: PendingAsk[] = [];
  const outcomes: { ask: PendingAsk; outcome: DispatchOutcome }[] = [];
  return {
    interactive,
    asks,
    outcomes,
    async resolve(ask, context) {
      asks.push(structuredClone(ask));
      const next = script.next();
      if (next.done === true) {
        throw new PermissionGateError("ask_unavailable", "the script has no answers left");
      }
      if (next.value === "never") return new Promise<never>(() => {});
      return typeof next.value === "function" ? next.value(ask, context) : next.value;
    },
    async settled(ask, outcome) {
      outcomes.push({ ask: structuredClone(ask), outcome });
    },
  };
}
