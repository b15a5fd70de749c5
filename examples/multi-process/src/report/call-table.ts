import { joinLedger, type LedgerCall, ledgerFiles, readLedger } from "@x/middleware/ledger";

const WIDTHS = [11, 12, 13, 12, 10];

/** One line for each call, from the ledgers of all workers. */
export async function callTable(ledger: string): Promise<string[]> {
  const files = await ledgerFiles(ledger);
  const calls = await joinLedger(files);
  const records = await recordsOf(files);
  calls.sort((left, right) => (left.call_id < right.call_id ? -1 : 1));
  return [
    row("call", "tool", "verdict", "decided by", "ended", "records"),
    ...calls.map((call) =>
      row(
        call.call_id,
        call.tool,
        call.decision?.decision.verdict ?? "-",
        deciderOf(call),
        call.result?.outcome ?? "-",
        String(records.get(call.call_id) ?? 0),
      ),
    ),
  ];
}

/** How often each call was decided, by its id. */
async function recordsOf(files: readonly string[]): Promise<Map<string, number>> {
  const records = new Map<string, number>();
  for await (const reading of readLedger(files)) {
    if (reading.kind !== "line" || reading.value.type !== "gate.decision") continue;
    const { call_id } = reading.value;
    records.set(call_id, (records.get(call_id) ?? 0) + 1);
  }
  return records;
}

/** Who it was: a person by name; else a check, or what was remembered; else nobody in time. */
function deciderOf({ decision }: LedgerCall): string {
  if (decision === null) return "-";
  const { decided_by } = decision;
  const { rule_source, verdict } = decision.decision;
  if (rule_source === "grant") return "a grant";
  if (rule_source === "middleware" && verdict === "allow") return "a check";
  return decided_by ?? "nobody";
}

function row(...cells: string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join("  ")
    .trimEnd();
}
