import type { MemberOutcome } from "./member-outcome.js";
import type { Round } from "./round.js";

/** The round ends as its only member does. */
export function passOn(round: Round): (outcome: MemberOutcome) => void {
  return (outcome) => {
    if (outcome.kind === "answer") round.answer(outcome.answer);
    else round.fail(outcome.error);
  };
}
