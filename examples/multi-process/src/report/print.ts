import { join } from "node:path";
import type { Deployment } from "../deployment.js";
import { isAtTerminal } from "../roles/desk.js";
import type { Settings } from "../settings.js";
import type { TeamOutcome } from "../team/run-team.js";
import { callTable } from "./call-table.js";
import { writtenFiles } from "./written-files.js";

export function printHeader(deployment: Deployment, { ringAfterMs, deadlineMs }: Settings): void {
  console.log("Permission Gate: three workers, a desk and two phones\n");
  printFact("where", deployment.title);
  printFact("desk", isAtTerminal() ? "you, at this terminal" : "a script, since there is no terminal");
  printFact("phones", `ana and bob, ${ringAfterMs / 1000} s after the desk`);
  printFact("deadline", `${deadlineMs / 1000} s\n`);
}

/** Tells what became of each call, and what the tools really did. */
export async function printCalls({ folder }: Settings): Promise<void> {
  console.log((await callTable(join(folder, "ledger.jsonl"))).join("\n"));
  console.log();
  for (const file of await writtenFiles(folder)) printFact("written", file);
}

/** Tells what is remembered and forgets it, since every run starts anew; then what is left. Whether all is as it should be. */
export async function printTraces(
  deployment: Deployment,
  { isDone, started, failed }: TeamOutcome,
): Promise<boolean> {
  const { grants } = deployment.backends;
  for (const { verdict, tool, scope, granted_by } of await grants.load()) {
    const whatever = scope === "this_tool" ? "every call" : "one call";
    printFact("remembered", `${verdict} ${whatever} of ${tool}, by ${granted_by ?? "nobody known"}`);
  }
  await grants.clear();
  const leftovers = Object.entries(await deployment.left());
  printFact("left", leftovers.map(([what, count]) => `${count} ${what}`).join(", "));
  printFact("ended", `${started} of ${started} that were started`);
  if (failed.length > 0) printFact("failed", failed.join(", "));
  return isDone && failed.length === 0 && leftovers.every(([, count]) => count === 0);
}

function printFact(label: string, text: string): void {
  console.log(`  ${label.padEnd(10)}  ${text}`);
}
