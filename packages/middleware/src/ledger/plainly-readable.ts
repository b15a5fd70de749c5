import type { GateDecision, GateRuleSource, GateVerdict } from "@x/permission-core";
import type { GateDecisionLine, LedgerLine, ToolCallLine, ToolResultLine } from "./ledger-line.js";

/** An id of so many characters has not too many code points either. */
const SHORT = 128;

const VERDICTS: ReadonlySet<unknown> = new Set<GateVerdict>([
  "allow",
  "allow_modified",
  "deny",
  "ask",
  "ask_allowed",
  "ask_denied",
  "ask_unresolved",
  "ask_expired",
  "cancelled",
]);

const SOURCES: ReadonlySet<unknown> = new Set<GateRuleSource>([
  "middleware",
  "context",
  "ask_resolver",
  "engine",
  "hook",
  "grant",
]);

const OUTCOMES: ReadonlySet<unknown> = new Set<ToolResultLine["outcome"]>([
  "completed",
  "failed",
  "denied",
  "stopped",
  "cancelled",
]);

/**
 * Whether a reader takes the line for certain, seen at a fraction of what the schema costs. True only for lines of a call
 * in their ordinary form; of anything else it says false, and the schema has to tell.
 */
export function isPlainlyReadable(line: LedgerLine): boolean {
  switch (line.type) {
    case "tool.call":
      return isOfCall(line) && isText(line.args_digest) && isOfTool(line) && hasNoMark(line, "input");
    case "tool.result":
      return (
        isOfCall(line) &&
        OUTCOMES.has(line.outcome) &&
        Number.isFinite(line.duration_ms) &&
        isOfTool(line) &&
        hasNoMark(line, "output")
      );
    case "gate.decision":
      return isOfCall(line) && isPlainDecision(line);
    default:
      return false;
  }
}

function isPlainDecision(line: GateDecisionLine): boolean {
  return (
    isId(line.session_id) &&
    isId(line.run_id) &&
    isRecord(line.decision) &&
    areRecords(line.trail) &&
    isTextOrNull(line.effective_args_digest) &&
    (line.ask_id === null || isId(line.ask_id)) &&
    isTextOrNull(line.decided_by)
  );
}

function isOfCall(line: ToolCallLine | ToolResultLine | GateDecisionLine): boolean {
  return (
    isText(line.session_id) &&
    isText(line.run_id) &&
    isTextOrNull(line.agent) &&
    isText(line.call_id) &&
    isWhole(line.turn)
  );
}

function isOfTool(line: ToolCallLine | ToolResultLine): boolean {
  return isText(line.tool) && isWhole(line.ts);
}

function hasNoMark(line: object, name: "input" | "output"): boolean {
  return !(`${name}_not_json` in line || `${name}_too_large` in line);
}

/** Unlike `every`, it also sees what an array leaves out. */
function areRecords(trail: readonly GateDecision[]): boolean {
  if (!Array.isArray(trail)) return false;
  for (const decision of trail) if (!isRecord(decision)) return false;
  return true;
}

function isRecord(decision: GateDecision | null | undefined): boolean {
  return (
    decision !== undefined &&
    decision !== null &&
    isText(decision.tool) &&
    isText(decision.args_digest) &&
    VERDICTS.has(decision.verdict) &&
    isText(decision.rule_id) &&
    SOURCES.has(decision.rule_source) &&
    isTextOrNull(decision.matched_pattern) &&
    isTextOrNull(decision.reason) &&
    isWhole(decision.ts)
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isId(value: unknown): boolean {
  return isText(value) && value.length <= SHORT;
}

function isWhole(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
