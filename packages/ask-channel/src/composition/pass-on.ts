import type { AskResolver } from "@x/permission-core";
import type { Round } from "./round.js";

/** Asks the round's only member: it ends as that does, and whoever put the ask is told what an answer to the member must name. */
export function passOn(round: Round, member: AskResolver, pending = round.pending): void {
  const { onParked } = round;
  round.ask(
    member,
    (outcome) => {
      if (outcome.kind === "answer") round.answer(outcome.answer);
      else round.fail(outcome.error);
    },
    { pending, onParked },
  );
}
