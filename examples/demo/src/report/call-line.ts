import { displaySafe, type GateDecision } from "@x/permission-core";
import { inputOf, type RecordedCall } from "../transcript-calls.js";

const WIDTHS = { number: 3, tool: 6, call: 32, verdict: 14, source: 22, digest: 16 };

export const LINE_HEAD = columns("", "tool", "call", "verdict", "rule_source", "digest", "reason or result");

/** One line about one call: all that a stranger could have written is escaped and shortened in it. */
export function callLine(
  number: number,
  call: RecordedCall,
  decision: GateDecision | null,
  told: string,
): string {
  return columns(
    String(number),
    short(call.toolName, WIDTHS.tool),
    short(subjectOf(call), WIDTHS.call),
    decision?.verdict ?? "invalid",
    decision === null ? "-" : sourceOf(decision),
    decision?.args_digest || "-",
    displaySafe(told, { maxLength: 160 }).text,
  );
}

/** What a call is about, in one word or two. */
function subjectOf(call: RecordedCall): string {
  const input = inputOf(call);
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "";
  const subject = input["command"] ?? input["text"] ?? input["path"];
  return typeof subject === "string" ? subject : "";
}

/** As the record says it. A grant has its id beside it, which is the record's `rule_id` and stands in the list of grants. */
function sourceOf({ rule_id, rule_source }: GateDecision): string {
  return rule_source === "grant" ? `${rule_source} ${rule_id}` : rule_source;
}

function short(text: string, width: number): string {
  const safe = [...displaySafe(text, { maxLength: 200 }).text];
  return safe.length <= width ? safe.join("") : `${safe.slice(0, width - 1).join("")}…`;
}

function columns(
  number: string,
  tool: string,
  call: string,
  verdict: string,
  source: string,
  digest: string,
  told: string,
): string {
  const cells = [
    number.padStart(WIDTHS.number),
    tool.padEnd(WIDTHS.tool),
    call.padEnd(WIDTHS.call),
    verdict.padEnd(WIDTHS.verdict),
    source.padEnd(WIDTHS.source),
    digest.padEnd(WIDTHS.digest),
    told,
  ];
  return cells.join("  ").trimEnd();
}
