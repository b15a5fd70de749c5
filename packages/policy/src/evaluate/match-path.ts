import type { ToolKind } from "../calls/call-target.js";
import type { PathForms } from "../paths/path-forms.js";
import type { Evaluation } from "./evaluation.js";
import { type Judgement, judgeAsk } from "./judgement.js";
import type { Matches } from "./matches.js";
import type { BoundBy } from "./path-index.js";
import type { RulesOfTool } from "./rules-of-tool.js";

/** That rules of a kind bind a path as well. */
export interface Binding {
  readonly kind: ToolKind;
  readonly by: BoundBy;
}

/** Adds the rules of `sources` that match the path. */
export function matchPath(
  evaluation: Evaluation,
  sources: readonly RulesOfTool[],
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of sources) rules.pathsOf(evaluation.workspace).addMatches(forms, evaluation, matches);
}

/** Adds the rules of another kind that bind what is done to the path. */
export function bindPath(
  evaluation: Evaluation,
  { kind, by }: Binding,
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of evaluation.rulesOfKind(kind))
    rules.pathsOf(evaluation.workspace).addBinding(forms, evaluation, matches, by);
}

/** What is done to a folder with all that is in it, where a deny or an operator's ask names a place there; null: none does. */
export function judgeWhole(
  evaluation: Evaluation,
  bindings: readonly Binding[],
  forms: PathForms,
  text: string,
): Judgement | null {
  for (const { kind, by } of bindings) {
    for (const rules of evaluation.rulesOfKind(kind)) {
      const demand = rules.pathsOf(evaluation.workspace).demandWithin(forms, evaluation, by);
      if (demand === null) continue;
      return judgeAsk(text, {
        basis: "opaque",
        reason: `it is about all that is in the folder, and ${demand.description} is about some of it`,
        demanded: true,
        matches: null,
      });
    }
  }
  return null;
}
