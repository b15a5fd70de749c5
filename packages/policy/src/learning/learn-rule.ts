import type { PolicyCall, Rule } from "@x/permission-core";
import { callTargets, shellCommands } from "../calls/call-targets.js";
import { kindOf } from "../calls/tool-kind.js";
import { dialectOf } from "../evaluate/dialect-of.js";
import { evaluateRules } from "../evaluate/evaluate-rules.js";
import { type EvaluationRequest, requestOptionsOf } from "../evaluate/evaluation-request.js";
import { resolvePath } from "../paths/resolve-path.js";
import { analyzeShell } from "../shell/analyze-shell.js";

/**
 * How the call is read and judged, as `evaluateRules` takes it. Outside `workspace` no path is learned; left out: every path
 * is.
 */
export interface LearningOptions extends Omit<EvaluationRequest, "call" | "rules"> {
  /** what holds beside the rule that is learned; default nothing */
  readonly rules?: readonly Rule[];
}

/**
 * The one exact allow that "allow always" for this call comes to, at user scope. null where nothing narrow can be learned: a
 * command that is more than one simple command, shows less than it runs, or has a redirect that writes or gives input; a call
 * of two targets or none; and a path outside the workspace where there is one. null also where the same call would not be
 * allowed with it, since somebody would only answer the same question again: what is denied or asked about by an operator's rule, and a
 * command that writes or removes files (`rm x`, `cp a b`) where no rule allows these.
 */
export function learnRule(call: PolicyCall, given: LearningOptions = {}): Rule | null {
  const options = requestOptionsOf(given);
  const pattern =
    kindOf(call, options) === "Shell" ? learnCommand(call, options) : learnTarget(call, options);
  if (pattern === null || pattern === "") return null;
  const rule: Rule = {
    scope: "user",
    tool: call.tool,
    pattern,
    effect: "allow",
    exact: true,
    audience: "all",
  };
  const learned = [...(options.learned ?? []), rule];
  return evaluateRules({ ...options, learned, call }).effect === "allow" ? rule : null;
}

/**
 * As it ran: with what starts it and with its assignments. Redirects are left out, since those that write a file or give
 * input, which the rule would not show, are never learned.
 */
function learnCommand(call: PolicyCall, options: LearningOptions): string | null {
  const commands = shellCommands(call, options) ?? [];
  const [command] = commands;
  if (command === undefined || commands.length > 1) return null;
  const { opaque, parts, simple } = analyzeShell(command, { dialect: dialectOf(call, options) });
  if (opaque !== null || !simple || parts.some((part) => part.opaque !== null)) return null;
  const outermost = parts.filter(({ startedBy }) => startedBy === null);
  const [part] = outermost;
  return part === undefined || outermost.length > 1 || part.argv.length === 0 ? null : part.text;
}

function learnTarget(call: PolicyCall, options: LearningOptions): string | null {
  const [target, ...others] = callTargets(call, options);
  if (target === undefined || others.length > 0 || target.key === null) return null;
  if (target.sort !== "path" || options.workspace === undefined) return target.text;
  const { inWorkspace, unresolved } = resolvePath(target.text, { workspace: options.workspace });
  return inWorkspace === true && !unresolved ? target.text : null;
}
