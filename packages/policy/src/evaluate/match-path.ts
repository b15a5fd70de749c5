import type { ToolKind } from "../calls/call-target.js";
import type { PathForms } from "../paths/path-forms.js";
import type { Evaluation } from "./evaluation.js";
import type { Matches } from "./matches.js";
import type { RulesOfTool } from "./rules-of-tool.js";

/** Which rules of another kind bind a path as well: denies alone, or operators' asks too. */
export interface Binding {
  readonly kind: ToolKind;
  readonly asks: boolean;
}

/** Adds the rules of `sources` that match the path. */
export function matchPath(
  evaluation: Evaluation,
  sources: readonly RulesOfTool[],
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of sources)
    rules.matchingPath(forms, evaluation.workspace, evaluation.audience, (rule) => matches.add(rule));
}

/** Adds the rules of another kind that bind what is done to the path. */
export function bindPath(
  evaluation: Evaluation,
  { kind, asks }: Binding,
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of evaluation.rulesOfKind(kind))
    rules.matchingPath(forms, evaluation.workspace, evaluation.audience, (rule) => {
      if (rule.effect === "deny" || (asks && rule.isDemand)) matches.add(rule);
    });
}
