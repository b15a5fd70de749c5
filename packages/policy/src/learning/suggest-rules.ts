import type { PartDecision, PolicyCall, Rule } from "@x/permission-core";
import { callTargets, shellCommands } from "../calls/call-targets.js";
import { kindOf } from "../calls/tool-kind.js";
import { dialectOf } from "../evaluate/dialect-of.js";
import { evaluateRules } from "../evaluate/evaluate-rules.js";
import { type EvaluationRequest, requestOptionsOf } from "../evaluate/evaluation-request.js";
import { analyzeShell } from "../shell/analyze-shell.js";
import type { ShellPart } from "../shell/shell-analysis.js";
import { widerPattern } from "./wider-pattern.js";

/** How the call is read and judged, as `evaluateRules` takes it. */
export interface SuggestOptions extends Omit<EvaluationRequest, "call" | "rules"> {
  /** what is allowed already and needs no suggestion; default nothing */
  readonly rules?: readonly Rule[];
}

/**
 * Allows that a person may choose to add by hand, at user scope, narrowest first: the exact one of every part that still
 * asks, then a wider one (`git status:*`) where what follows can only make it read. They name programs rather than what starts them, and
 * leave out what no allow could answer: what is denied, demanded by an operator's ask, or cannot be read. A line of which a
 * redirect gives input gets none, since no rule would show that input.
 */
export function suggestRules(call: PolicyCall, given: SuggestOptions = {}): Rule[] {
  const options = requestOptionsOf(given);
  const { parts } = evaluateRules({ ...options, call });
  const open = new Set(parts.filter(isOpen).map(({ text }) => text));
  const isShell = kindOf(call, options) === "Shell";
  return unique(isShell ? suggestForCommands(call, options, open) : suggestForTargets(call, options, open));
}

/** Asked because no rule allows it, or by a rule that is built in. */
function isOpen({ effect, rule }: PartDecision): boolean {
  return effect === "ask" && (rule === null || rule.scope === "builtin");
}

function suggestForTargets(call: PolicyCall, options: SuggestOptions, open: ReadonlySet<string>): Rule[] {
  return callTargets(call, options)
    .filter(({ text }) => text !== "" && open.has(text))
    .map(({ text }) => allow(call.tool, text, true));
}

function suggestForCommands(call: PolicyCall, options: SuggestOptions, open: ReadonlySet<string>): Rule[] {
  const dialect = dialectOf(call, options);
  const analyses = (shellCommands(call, options) ?? []).map((command) => analyzeShell(command, { dialect }));
  if (analyses.some(({ opaque }) => opaque !== null)) return [];
  const parts = analyses.flatMap((analysis) => analysis.parts);
  if (parts.some(({ redirectsInput }) => redirectsInput)) return [];
  const nameable = parts.filter((part) => isNameable(part) && open.has(part.text));
  const wider = nameable.flatMap((part) => widerPattern(part) ?? []);
  return [
    ...nameable.map(({ text }) => allow(call.tool, text, true)),
    ...changedFiles(parts, open),
    ...wider.map((pattern) => allow(call.tool, pattern, false)),
  ];
}

/** What a rule can cover: a readable command that is judged by its own text. */
function isNameable({ argv, opaque, wrapping, substitutes, readOnly }: ShellPart): boolean {
  return argv.length > 0 && opaque === null && wrapping !== "transparent" && (readOnly || !substitutes);
}

function changedFiles(parts: readonly ShellPart[], open: ReadonlySet<string>): Rule[] {
  return parts
    .flatMap(({ targets }) => targets)
    .flatMap(({ operation, path, folder }) => {
      if (operation === "read" || path === null || folder !== "") return [];
      const tool = operation === "write" ? "Write" : "Remove";
      return open.has(`${tool}(${path})`) ? [allow(tool, path, true)] : [];
    });
}

function allow(tool: string, pattern: string, exact: boolean): Rule {
  return { scope: "user", tool, pattern, effect: "allow", exact, audience: "all" };
}

function unique(rules: readonly Rule[]): Rule[] {
  return [...new Map(rules.map((rule) => [`${rule.tool}\n${rule.pattern}`, rule])).values()];
}
