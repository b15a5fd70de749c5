import type { CallTarget } from "../calls/call-target.js";
import { callTargets } from "../calls/call-targets.js";
import { resolvePath } from "../paths/resolve-path.js";
import { bindingsOf } from "./bindings.js";
import { ACCEPTED_EDITS, type Evaluation } from "./evaluation.js";
import { type Judgement, judgeAsk, judgeMatches } from "./judgement.js";
import { bindPath, matchPath } from "./match-path.js";

/** Every target of a call that is no shell's. */
export function judgeTargets(evaluation: Evaluation): Judgement[] {
  const { call } = evaluation.request;
  return callTargets(call, evaluation.request).map((target) =>
    target.sort === "path" && target.text !== ""
      ? judgePath(evaluation, target)
      : judgeText(evaluation, target),
  );
}

function judgeText(evaluation: Evaluation, target: CallTarget): Judgement {
  const matches = evaluation.newMatches();
  for (const rules of evaluation.ownRules) {
    const index = target.sort === "url" ? rules.urls : rules.texts;
    index.addAllows(target.text, evaluation.audience, matches);
    index.addTightening(target.text, evaluation.audience, matches);
  }
  const judgement = judgeMatches(target.text, matches);
  if (target.sort !== "path" || judgement.effect !== "allow") return judgement;
  return judgeWithoutPath(evaluation, target) ?? judgement;
}

/** A call that names no path may be about any: where an operator speaks of some, nobody can tell that it is not one of them. */
function judgeWithoutPath(evaluation: Evaluation, { text, as }: CallTarget): Judgement | null {
  const kinds = [evaluation.kind, ...bindingsOf(evaluation.kind, as).map(({ kind }) => kind)];
  for (const kind of kinds) {
    const demand = evaluation.demandOn(kind);
    if (demand !== null)
      return judgeAsk(text, {
        basis: "opaque",
        reason: `the call names no path that can be read, and ${demand.description} may be about it`,
        demanded: true,
        matches: null,
      });
  }
  return null;
}

function judgePath(evaluation: Evaluation, target: CallTarget): Judgement {
  const { kind, mode, workspace } = evaluation;
  const forms = resolvePath(target.text, workspace === undefined ? {} : { workspace });
  const matches = evaluation.newMatches();
  matchPath(evaluation, evaluation.ownRules, forms, matches);
  for (const binding of bindingsOf(kind, target.as)) bindPath(evaluation, binding, forms, matches);
  const accepted = mode === "accept-edits" ? ACCEPTED_EDITS.get(kind) : undefined;
  if (accepted !== undefined && forms.inWorkspace !== false && !forms.unresolved) matches.add(accepted);
  return judgeMatches(target.text, matches);
}
