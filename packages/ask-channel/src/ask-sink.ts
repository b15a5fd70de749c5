import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type PendingAsk,
  parseAskAnswer,
} from "@x/permission-core";
import { isThenable } from "./is-thenable.js";

/** What a resolver is given beside the ask. */
export type AskContext = Parameters<AskResolver["resolve"]>[1];

/** Takes the end of one ask: one call of one of these, possibly before the put returns. */
export interface AskSink {
  answer(answer: AskResolution | AskAnswer): void;
  fail(error: unknown): void;
}

type Put = (pending: PendingAsk, context: AskContext, sink: AskSink) => void;

const direct = new WeakMap<AskResolver, { resolve: AskResolver["resolve"]; put: Put }>();

/**
 * Lets a composition hear from `resolver` inside the very call that answers, with no turn of the microtask queue in
 * between: of two answers given in one turn, the second already finds the ask answered. What `put` hands over must have
 * been read as an answer. It is passed by once somebody has replaced the resolver's `resolve`.
 */
export function offerDirect(resolver: AskResolver, put: Put): void {
  direct.set(resolver, { resolve: resolver.resolve, put });
}

/** Puts the ask. What is no answer of a known form fails, with code `bad_record`; nothing is thrown. */
export function putAsk(resolver: AskResolver, pending: PendingAsk, context: AskContext, sink: AskSink): void {
  const offered = direct.get(resolver);
  if (offered !== undefined && offered.resolve === resolver.resolve) {
    offered.put(pending, context, sink);
    return;
  }
  const deliver = (given: unknown) => {
    let answer: AskResolution | AskAnswer;
    try {
      answer = given === "Approve" || given === "Deny" ? given : parseAskAnswer(given);
    } catch (error) {
      sink.fail(error);
      return;
    }
    sink.answer(answer);
  };
  let given: unknown;
  try {
    given = resolver.resolve(pending, context);
    if (isThenable(given)) {
      Promise.resolve(given).then(deliver, (error: unknown) => sink.fail(error));
      return;
    }
  } catch (error) {
    sink.fail(error);
    return;
  }
  deliver(given);
}
