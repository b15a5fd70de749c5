import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  isolatedReport,
  PermissionGateError,
} from "@x/permission-core";
import { Composition } from "./composition.js";
import { type ComposableResolver, isInteractive, toMembers } from "./member.js";
import { type NoAnswer, nobodyAnswered, unavailable } from "./member-outcome.js";
import type { CompositionOptions } from "./options.js";
import { PassedOver } from "./passed-over.js";
import { isNamed, QuorumBallot } from "./quorum-ballot.js";

/** How often one member is asked that approves without a name. */
const MOST_ASKED = 3;

const NAMELESS = "it has no decided_by";

/**
 * Asks all at once and approves when `needed` of them have, each for a person of its own. The first denial decides, with or
 * without a name, and so does a member that fails or answers nonsense.
 *
 * - An approval counts when its `decided_by` names somebody who has not approved yet. Names that differ in case, width,
 *   space, invisible characters or the spelling of the same letters only are one person. What does not count is reported.
 * - An approval without a `decided_by` is refused, which ends nothing: its member is asked again. One that gave three of them
 *   counts as unavailable, so that a member that never says who it is cannot be asked for ever.
 * - Approvals with a `modified_input` count together where those are canonically equal, and not with approvals of the call
 *   as it is.
 * - The answer names all who were counted in `decided_by`, joined by ` + `; such a name counts once in an outer quorum, and
 *   only if none of its persons was counted there. It remembers what all of them would remember, for the shortest time.
 *
 * Once `needed` cannot be reached any more it ends. Where members were missing: rejects with code `ask_expired` if one
 * expired, else `ask_unavailable`. Where approvals did not count or did not agree: denies, with a reason.
 *
 * Throws code `invalid_option` unless `needed` is a whole number from 1 to the number of members.
 */
export function quorum(
  needed: number,
  resolvers: readonly ComposableResolver[],
  options: CompositionOptions = {},
): AskResolver {
  const members = toMembers(resolvers);
  if (!Number.isInteger(needed) || needed < 1 || needed > members.length) {
    throw new PermissionGateError(
      "invalid_option",
      `a quorum of ${needed} is not possible with ${members.length} resolvers`,
    );
  }
  const report = isolatedReport(options.onReport);
  const passedOver = new PassedOver(report, members.length);
  return new Composition({
    interactive: () => members.every(isInteractive),
    report,
    begin(round) {
      const askable = members.filter((member) => round.canAsk(member));
      if (askable.length < needed) {
        round.fail(unavailable(`of ${needed} approvers needed, ${askable.length} can be asked`));
        return;
      }
      const ballot = new QuorumBallot();
      const missing: NoAnswer[] = [];
      let open = askable.length;
      const reportFlaw = (flaw: string) => {
        const message = `ask ${round.pending.id}: an approval does not count towards the quorum: ${flaw}`;
        report({ level: "warn", message });
      };
      /** The end of one member's asking. `notice` is told what the quorum rejects with by that, if it does. */
      const hear = (
        outcome: { kind: "approval"; answer: AskAnswer } | NoAnswer,
        notice: Notice = () => {},
      ) => {
        open -= 1;
        if (outcome.kind === "approval") {
          const flaw = ballot.add(outcome.answer);
          if (flaw !== null) reportFlaw(flaw);
          const decided = ballot.decided(needed);
          if (decided !== null) return round.answer(decided);
        } else missing.push(outcome);
        const isPossible = ballot.best + open >= needed;
        const rejection = isPossible || !ballot.isUnanimous ? null : nobodyAnswered(missing);
        notice(rejection);
        if (rejection !== null) round.fail(rejection);
        else if (!isPossible)
          round.answer({ resolution: "Deny", reason: `a quorum of ${needed} was not reached` });
      };
      const ask = (member: AskResolver, timesLeft: number) => {
        round.ask(member, (outcome) => {
          const notice: Notice = (rejection) =>
            passedOver.notice(member, outcome, { ask: round.pending, rejection });
          if (outcome.kind === "failed") return round.fail(outcome.error);
          if (outcome.kind !== "answer") return hear(outcome, notice);
          notice(null);
          const { answer } = outcome;
          if (isDenial(answer)) return round.answer(answer);
          if (isNamed(answer)) return hear({ kind: "approval", answer });
          reportFlaw(NAMELESS);
          if (timesLeft > 1) ask(member, timesLeft - 1);
          else hear({ kind: "unavailable", error: unavailable(`an approval does not count: ${NAMELESS}`) });
        });
      };
      for (const member of askable) ask(member, MOST_ASKED);
    },
  });
}

type Notice = (rejection: PermissionGateError | null) => void;

function isDenial(answer: AskResolution | AskAnswer): boolean {
  return (typeof answer === "string" ? answer : answer.resolution) === "Deny";
}
