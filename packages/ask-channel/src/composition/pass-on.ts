import type { AskResolver } from "@x/permission-core";
import type { Round } from "./round.js";

/** Asks the round's only member: it ends as that does. */
export function passOn(round: Round, member: AskResolver, pending = round.pending): void {
  round.ask(
    member,
    (outcome) => {
      if (outcome.kind === "answer") round.answer(outcome.answer);
      else round.fail(outcome.error);
    },
    pending,
  );
}
