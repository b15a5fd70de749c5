import type { AskResolver, PendingAsk } from "@x/permission-core";
import { type AskContext, type AskSink, putAsk } from "./ask-sink.js";

/** What answers to an ask must name. */
export type AskName = Pick<PendingAsk, "id" | "args_digest"> & {
  /** the id in whose place this one stands from now on: answers to that count no more */
  readonly instead?: string;
};

/** What a resolver that tells is given beside the ask. */
export type TellingContext = AskContext & { onParked?: ((stored: AskName) => void) | undefined };

/** A resolver that may go on with an ask that was stored earlier for the same call, and tells which one an answer must name. */
export interface TellingResolver extends AskResolver {
  readonly tellsParked: true;
  /** `onParked` is called once the ask can be answered, and again where it is another one from then on, or another one as well. */
  resolve(pending: PendingAsk, context: TellingContext): ReturnType<AskResolver["resolve"]>;
}

/** Puts the ask, and has `onParked` called whoever is asked: with the ask's own name, once it was put, where they do not tell. */
export function putTelling(
  resolver: AskResolver,
  pending: PendingAsk,
  context: AskContext & { onParked: (stored: AskName) => void },
  sink: AskSink,
): void {
  const isTelling = (resolver as Partial<TellingResolver>).tellsParked === true;
  const { onParked, ...others } = context;
  putAsk(resolver, pending, isTelling ? context : others, sink);
  if (!isTelling) onParked({ id: pending.id, args_digest: pending.args_digest });
}
