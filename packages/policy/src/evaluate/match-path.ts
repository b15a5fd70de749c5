import type { ToolKind } from "../calls/call-target.js";
import type { PathForms } from "../paths/path-forms.js";
import type { Evaluation } from "./evaluation.js";
import type { Matches } from "./matches.js";
import type { RulesOfTool } from "./rules-of-tool.js";

/** Which rules of another kind bind a path as well: its denies alone, or operators' asks too. */
export interface Binding {
  readonly kind: ToolKind;
  readonly by: "denies" | "demands";
}

/** Adds the rules of `sources` that match the path. */
export function matchPath(
  evaluation: Evaluation,
  sources: readonly RulesOfTool[],
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of sources) rules.addPath(forms, evaluation, matches);
}

/** Adds the rules of another kind that bind what is done to the path. */
export function bindPath(
  evaluation: Evaluation,
  { kind, by }: Binding,
  forms: PathForms,
  matches: Matches,
): void {
  for (const rules of evaluation.rulesOfKind(kind)) rules.addPath(forms, evaluation, matches, by);
}
