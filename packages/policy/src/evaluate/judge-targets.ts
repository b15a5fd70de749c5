import type { CallTarget } from "../calls/call-target.js";
import { callTargets } from "../calls/call-targets.js";
import { bindingsOf } from "./bindings.js";
import type { CompiledRule } from "./compiled-rule.js";
import { type Endings, endingsOf, kindsOfDestinations, NO_ENDINGS } from "./endings.js";
import { ACCEPTED_EDITS, type Evaluation, isGuarded } from "./evaluation.js";
import { JudgedOnce } from "./judged-once.js";
import { isDemand, type Judgement, judgeAsk, judgeMatches } from "./judgement.js";
import { type Binding, bindPath, judgeWhole, matchPath } from "./match-path.js";
import type { Matches } from "./matches.js";

/** As many as a command may have words. What names more is no call of good faith. */
const MOST_TARGETS = 2_000;

/** Every target of a call that is no shell's; of very many, the first, and that there are more asks, or denies where a rule does. */
export function judgeTargets(evaluation: Evaluation): Judgement[] {
  const { call } = evaluation.request;
  const all = callTargets(call, evaluation.request);
  const targets = all.slice(0, MOST_TARGETS);
  const [only] = targets;
  if (only !== undefined && targets.length === 1) return [judgeTarget(evaluation, only, NO_ENDINGS)];
  const endings = endingsOf(evaluation, targets);
  const judged = new JudgedOnce<Judgement>();
  const judgements = targets.map((target) =>
    judged.get([target.sort, target.as, target.text], () => judgeTarget(evaluation, target, endings)),
  );
  const next = all[MOST_TARGETS];
  return next === undefined ? judgements : [...judgements, judgeRest(evaluation, next)];
}

/** A limit is no weaker check: what might be denied among the others, is. */
function judgeRest(evaluation: Evaluation, { as }: CallTarget): Judgement {
  const bound = bindingsOf(evaluation.kind, as).flatMap(({ kind }) => [...evaluation.rulesOfKind(kind)]);
  for (const rules of [...evaluation.ownRules, ...bound]) {
    const rule = rules.denial(evaluation.audience);
    if (rule === null) continue;
    const reason = `the call names more than ${MOST_TARGETS} targets, and ${rule.description} may be about them`;
    return { ...judgeAsk("", { basis: null, reason, matches: null }), effect: "deny", rule };
  }
  return judgeAsk("", {
    basis: "opaque",
    reason: `the call names more than ${MOST_TARGETS} targets`,
    demanded: demandOnAny(evaluation, as) !== null,
    matches: null,
  });
}

function judgeTarget(evaluation: Evaluation, target: CallTarget, endings: Endings): Judgement {
  return target.sort === "path" && target.text !== ""
    ? judgePath(evaluation, target, endings)
    : judgeText(evaluation, target);
}

function judgeText(evaluation: Evaluation, target: CallTarget): Judgement {
  const matches = evaluation.newMatches();
  for (const rules of evaluation.ownRules) {
    const index = target.sort === "url" ? rules.urls : rules.texts;
    // A path that is missing or cannot be read is covered by nothing less than an allow of the whole tool.
    if (target.sort === "path") index.addWholeToolAllows(evaluation.audience, matches);
    else index.addAllows(target.text, evaluation.audience, matches);
    index.addTightening(target.text, evaluation.audience, matches);
  }
  const judgement = judgeMatches(target.text, matches);
  if (target.text !== "" || judgement.effect !== "allow") return judgement;
  return judgeWithoutTarget(evaluation, target) ?? judgement;
}

/**
 * A call that names nothing which can be read may be about anything: where an operator speaks of some, nobody can tell that it
 * is not one of them.
 */
function judgeWithoutTarget(evaluation: Evaluation, { text, as }: CallTarget): Judgement | null {
  const demand = demandOnAny(evaluation, as);
  if (demand === null) return null;
  return judgeAsk(text, {
    basis: "opaque",
    reason: `not all that the call is about can be read, and ${demand.description} may be about it`,
    demanded: true,
    matches: null,
  });
}

/** Of the tool by its own name or its kind, or of a kind whose rules bind it too; null: there is none. */
function demandOnAny(evaluation: Evaluation, as: CallTarget["as"]): CompiledRule | null {
  for (const rules of evaluation.ownRules) {
    const demand = rules.demand(evaluation.audience);
    if (demand !== null) return demand;
  }
  return evaluation.demandOnAny(bindingsOf(evaluation.kind, as).map(({ kind }) => kind));
}

function judgePath(evaluation: Evaluation, target: CallTarget, endings: Endings): Judgement {
  const { kind, mode } = evaluation;
  const forms = evaluation.resolve(target.text);
  const matches = evaluation.newMatches();
  matchPath(evaluation, evaluation.ownRules, forms, matches);
  for (const binding of bindingsOf(kind, target.as)) bindPath(evaluation, binding, forms, matches);
  if (target.as === "Write")
    for (const name of endings.names) bindBelow(evaluation, `${target.text}/${name}`, matches);
  const accepted = mode === "accept-edits" ? ACCEPTED_EDITS.get(kind) : undefined;
  if (accepted !== undefined && forms.inWorkspace !== false && !forms.unresolved) {
    if (!isGuarded(forms, evaluation)) matches.add(accepted);
    else if (matches.winner() === null)
      return judgeAsk(target.text, { basis: "no-match", reason: GUARDED_REASON, matches });
  }
  const judgement = judgeMatches(target.text, matches);
  if (isDemand(judgement)) return judgement;
  if (target.as === "Write" && endings.tooMany !== null)
    return judgeAsk(target.text, { basis: "opaque", reason: endings.tooMany, demanded: true, matches });
  if (!isWhole(kind, target)) return judgement;
  const bound: readonly Binding[] = [{ kind, by: "demands" }, ...bindingsOf(kind, target.as)];
  return judgeWhole(evaluation, bound, forms, target.text) ?? judgement;
}

/** Whether a folder is meant with all that is in it. */
function isWhole(kind: string, { as }: CallTarget): boolean {
  return kind === "Remove" || kind === "Grep" || as === "Read" || as === "Remove";
}

const GUARDED_REASON = "accept-edits leaves files of permissions and of git's own to the rules";

/** Where a source comes to lie if the destination is a folder: what tightens speaks of that as well. */
function bindBelow(evaluation: Evaluation, path: string, matches: Matches): void {
  const forms = evaluation.resolve(path);
  for (const kind of kindsOfDestinations(evaluation))
    bindPath(evaluation, { kind, by: "demands" }, forms, matches);
}
