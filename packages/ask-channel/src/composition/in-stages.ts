import { type AskResolver, isolatedReport, systemClock } from "@x/permission-core";
import { Composition } from "./composition.js";
import { isInteractive } from "./member.js";
import { type NoAnswer, nobodyAnswered } from "./member-outcome.js";
import type { TimedCompositionOptions } from "./options.js";
import { PassedOver } from "./passed-over.js";
import type { Round } from "./round.js";

/** Whom to ask, and how long after the ask was put at the latest. `Infinity`: only when nobody else is left. */
export interface Stage {
  readonly member: AskResolver;
  readonly afterMs: number;
}

/**
 * Asks one member after the other as time passes; those asked earlier stay asked. The first answer decides, and so does
 * the first failure. Whenever nobody is left who could answer, the next is asked at once.
 */
export function inStages(unordered: readonly Stage[], options: TimedCompositionOptions): AskResolver {
  const stages = unordered.toSorted((left, right) => order(left.afterMs, right.afterMs));
  const clock = options.clock ?? systemClock;
  const report = isolatedReport(options.onReport);
  const passedOver = new PassedOver(report, stages.length);
  return new Composition({
    interactive: () => stages.every((stage) => isInteractive(stage.member)),
    report,
    begin(round) {
      const askUpTo = staged(round, stages, passedOver);
      askUpTo(0);
      for (const afterMs of new Set(stages.map((stage) => stage.afterMs))) {
        if (afterMs > 0 && afterMs !== Number.POSITIVE_INFINITY)
          round.timer(clock, () => askUpTo(afterMs), afterMs);
      }
    },
  });
}

/** Gives the function that asks everybody whose time has come, each once. */
function staged(round: Round, stages: readonly Stage[], passedOver: PassedOver): (elapsedMs: number) => void {
  const ended: NoAnswer[] = [];
  let asked = 0;
  const askNext = (member: AskResolver) => {
    asked += 1;
    round.ask(member, (outcome) => {
      if (outcome.kind === "failed") return round.fail(outcome.error);
      if (outcome.kind !== "answer") ended.push(outcome);
      const next = stages[asked];
      const isLast = ended.length === asked && next === undefined;
      const rejection = isLast ? nobodyAnswered(ended) : null;
      passedOver.notice(member, outcome, { ask: round.pending, rejection });
      if (outcome.kind === "answer") return round.answer(outcome.answer);
      if (rejection !== null) round.fail(rejection);
      else if (ended.length === asked && next !== undefined) askNext(next.member);
    });
  };
  return (elapsedMs) => {
    for (let next = stages[asked]; next !== undefined && next.afterMs <= elapsedMs; next = stages[asked]) {
      askNext(next.member);
    }
    const next = stages[asked];
    if (ended.length === asked && next !== undefined) askNext(next.member);
  };
}

/** Subtracting would make no number of two infinities. */
function order(left: number, right: number): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
