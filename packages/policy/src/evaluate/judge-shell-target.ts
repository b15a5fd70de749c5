import type { PathForms } from "../paths/path-forms.js";
import type { ShellTarget } from "../shell/shell-analysis.js";
import { bindingsOf } from "./bindings.js";
import type { Evaluation } from "./evaluation.js";
import { isDemand, type Judgement, judgeAsk, judgeMatches } from "./judgement.js";
import { type Binding, bindPath, judgeWhole, matchPath } from "./match-path.js";

const KINDS = { read: "Read", write: "Write", remove: "Remove" } as const;
const READ: Binding = { kind: "Read", by: "demands" };

/**
 * A file that a command reads, writes or removes. Reading needs no allow of its own, so that null is given where nothing
 * speaks of it; the others do. `mayLead`: a link that the line itself makes may lead it elsewhere.
 */
export function judgeShellTarget(
  evaluation: Evaluation,
  target: ShellTarget,
  mayLead: boolean,
): Judgement | null {
  const isSure = !mayLead && target.path !== null && target.folder !== null;
  return target.operation === "read"
    ? judgeRead(evaluation, target, isSure)
    : judgeChange(evaluation, target, isSure);
}

function judgeRead(evaluation: Evaluation, target: ShellTarget, isSure: boolean): Judgement | null {
  const demand = evaluation.demandOn("Read");
  if (demand === null) return null;
  const forms = formsOf(evaluation, target);
  const matches = evaluation.newMatches();
  bindPath(evaluation, READ, forms, matches);
  const text = textOf(target);
  if (matches.winner() !== null) return judgeMatches(text, matches);
  const whole = target.whole === true ? judgeWhole(evaluation, [READ], forms, text) : null;
  if (whole !== null) return whole;
  if (isSure && !forms.unresolved) return null;
  return judgeAsk(text, {
    basis: "opaque",
    reason: `which file is read cannot be told, and ${demand.description} may be about it`,
    demanded: true,
    matches,
  });
}

function judgeChange(evaluation: Evaluation, target: ShellTarget, isSure: boolean): Judgement {
  const kind = KINDS[target.operation];
  const forms = formsOf(evaluation, target);
  const matches = evaluation.newMatches();
  matchPath(evaluation, evaluation.rulesOfKind(kind), forms, matches);
  for (const binding of bindingsOf(kind, null)) bindPath(evaluation, binding, forms, matches);
  const text = textOf(target);
  const judgement = judgeMatches(text, matches);
  const bound: readonly Binding[] = [{ kind, by: "demands" }, ...bindingsOf(kind, null)];
  const whole =
    target.whole === true && !isDemand(judgement) ? judgeWhole(evaluation, bound, forms, text) : null;
  if (whole !== null) return whole;
  if (isSure || isDemand(judgement)) return judgement;
  return judgeAsk(text, {
    basis: "opaque",
    reason: `which file is ${target.operation === "write" ? "written" : "removed"} cannot be told`,
    matches,
  });
}

/** Of a path that cannot be told, of its text as far as it goes: rules that tighten may still know it. */
function formsOf(evaluation: Evaluation, { path, folder, word }: ShellTarget): PathForms {
  return evaluation.resolve(path ?? word.value ?? word.source, folder);
}

/** As a call of that kind would be written. */
function textOf({ operation, path, word }: ShellTarget): string {
  return `${KINDS[operation]}(${path ?? word.source})`;
}
