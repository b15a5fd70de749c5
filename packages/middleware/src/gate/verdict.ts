import {
  CHECK_STRICTNESS,
  canonicalJson,
  isPermissionCheck,
  type JsonValue,
  type PermissionCheck,
  type PermissionDecision,
  type PermissionMode,
  type Rule,
} from "@x/permission-core";
import { POLICY_ERROR } from "./texts.js";

/** What one source (a check, a policy, the claim), or all of a gate together, says of a call. */
export interface Verdict {
  check: PermissionCheck;
  ruleId: string;
  /** `engine`: the source failed, and failing is refusing */
  source: "middleware" | "context" | "engine";
  matchedPattern: string | null;
  configuredAsk: boolean;
  flooredConfiguredAllow: boolean;
  /** a rewrite that another source demands beside the question */
  rewrite: { input: JsonValue } | null;
}

export function plainVerdict(check: PermissionCheck, ruleId: string, source: Verdict["source"]): Verdict {
  return {
    check,
    ruleId,
    source,
    matchedPattern: null,
    configuredAsk: false,
    flooredConfiguredAllow: false,
    rewrite: null,
  };
}

/** Of what a call claims. Fails closed: what is no `PermissionCheck` denies as `policy error`. */
export function claimVerdict(claim: unknown): Verdict {
  return isPermissionCheck(claim) ? plainVerdict(claim, "context", "context") : failedVerdict("context");
}

/** Of a source that failed. */
export function failedVerdict(ruleId: string): Verdict {
  return plainVerdict({ kind: "deny", reason: POLICY_ERROR }, ruleId, "engine");
}

/**
 * The stricter of two: deny > ask > modify > allow; on a tie the first. A rewrite beside a question is kept: what is then
 * asked about, and runs, is the rewritten input. Two different rewrites deny, since only one of them could be heeded.
 */
export function stricter(first: Verdict, second: Verdict): Verdict {
  const secondWins = CHECK_STRICTNESS[second.check.kind] > CHECK_STRICTNESS[first.check.kind];
  const [winner, other] = secondWins ? [second, first] : [first, second];
  if (winner.check.kind === "deny") return winner;
  const rewrite = rewriteOf(winner) ?? rewriteOf(other);
  if (rewrite !== null && isAnotherRewrite(rewrite, rewriteOf(other))) {
    return plainVerdict(
      { kind: "deny", reason: "two checks rewrite the input differently" },
      winner.ruleId,
      "engine",
    );
  }
  if (winner.check.kind !== "ask") return winner;
  return {
    ...winner,
    rewrite,
    configuredAsk: winner.configuredAsk || other.configuredAsk,
    flooredConfiguredAllow: winner.flooredConfiguredAllow && other.check.kind !== "ask",
  };
}

/** The input that a verdict puts in the place of the model's, by itself or beside its question. */
function rewriteOf(verdict: Verdict): Verdict["rewrite"] {
  return verdict.check.kind === "modify" ? { input: verdict.check.modifiedInput } : verdict.rewrite;
}

function isAnotherRewrite(rewrite: { input: JsonValue }, other: Verdict["rewrite"]): boolean {
  if (other === null || other.input === rewrite.input) return false;
  try {
    return canonicalJson(other.input) !== canonicalJson(rewrite.input);
  } catch {
    return true;
  }
}

/** Throws for what is no decision of a policy, and says what is wrong with it. */
export function policyVerdict(decision: unknown, mode: PermissionMode): Verdict {
  requireDecision(decision);
  return {
    check: policyCheck(decision),
    ruleId: policyRuleId(decision, mode),
    source: "middleware",
    matchedPattern: decision.rule?.pattern ?? null,
    configuredAsk: decision.configuredAsk === true,
    flooredConfiguredAllow: decision.flooredConfiguredAllow === true,
    rewrite: null,
  };
}

function requireDecision(decision: unknown): asserts decision is PermissionDecision {
  if (typeof decision !== "object" || decision === null)
    throw new TypeError("A policy must give a decision: { effect, reason, rule, … }.");
  const { effect, reason, rule } = decision as Partial<PermissionDecision>;
  if (effect !== "allow" && effect !== "ask" && effect !== "deny")
    throw new TypeError("A policy's decision must have an effect: 'allow', 'ask' or 'deny'.");
  if (typeof reason !== "string")
    throw new TypeError("A policy's decision must have a reason, which is text.");
  if (rule !== null && !isRule(rule))
    throw new TypeError("A policy's decision must name the rule that decided, or null.");
}

/** Whether it holds what a record tells of a rule. */
function isRule(rule: unknown): boolean {
  if (typeof rule !== "object" || rule === null) return false;
  const { id, scope, tool, pattern } = rule as Partial<Rule>;
  const named = id === undefined || typeof id === "string";
  return named && typeof scope === "string" && typeof tool === "string" && typeof pattern === "string";
}

function policyCheck(decision: PermissionDecision): PermissionCheck {
  if (decision.effect === "allow") return { kind: "allow" };
  if (decision.effect === "deny") return { kind: "deny", reason: decision.reason };
  const open = (decision.parts ?? []).filter((part) => part.effect !== "allow");
  if (open.length === 0) return { kind: "ask", prompt: decision.reason };
  const details = open.map((part) => `${part.effect}: ${part.text}\n  ${part.reason}`).join("\n");
  return { kind: "ask", prompt: decision.reason, details };
}

function policyRuleId(decision: PermissionDecision, mode: PermissionMode): string {
  const { rule } = decision;
  if (rule !== null) return rule.id ?? `${rule.scope}:${ruleText(rule)}`;
  if (decision.basis !== undefined) return `policy:${decision.basis}`;
  if (decision.effect === "deny" && mode === "plan") return "policy:plan-mode";
  if (decision.flooredConfiguredAllow) return "policy:substitution-floor";
  return "policy:no-match";
}

/** `Tool(pattern)`, as it is written in a file; an empty tool is every tool. */
function ruleText(rule: Rule): string {
  const tool = rule.tool === "" ? "*" : rule.tool;
  return rule.pattern === "" ? tool : `${tool}(${rule.pattern})`;
}
