import type { AskResolver, PendingAsk } from "@x/permission-core";
import type { AskContext } from "./ask-sink.js";

/** What answers to an ask must name. */
export type AskName = Pick<PendingAsk, "id" | "args_digest">;

/** A resolver that may go on with an ask that was stored earlier for the same call, and tells which one an answer must name. */
export interface TellingResolver extends AskResolver {
  readonly tellsParked: true;
  /** `onParked` is called once the ask can be answered, and again where it is another one from then on. */
  resolve(
    pending: PendingAsk,
    context: AskContext & { onParked?: ((stored: AskName) => void) | undefined },
  ): ReturnType<AskResolver["resolve"]>;
}

export function tellsParked(resolver: AskResolver): resolver is TellingResolver {
  return (resolver as Partial<TellingResolver>).tellsParked === true;
}
