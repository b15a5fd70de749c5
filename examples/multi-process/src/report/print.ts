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

/** Tells what became of each call, what was written and what is left. Gives the exit code: 130 for a run that was stopped. */
export async function printOutcome(
  { backends, left }: Deployment,
  { folder }: Settings,
  { isDone, started, failed }: TeamOutcome,
): Promise<number> {
  console.log((await callTable(join(folder, "ledger.jsonl"))).join("\n"));
  console.log();
  for (const file of await writtenFiles(folder)) printFact("written", file);
  for (const { verdict, tool, scope, granted_by } of await backends.grants.load()) {
    const whatever = scope === "this_tool" ? "every call" : "one call";
    printFact("remembered", `${verdict} ${whatever} of ${tool}, by ${granted_by ?? "nobody known"}`);
  }
  // Every run starts with nothing remembered.
  await backends.grants.clear();
  const leftovers = Object.entries(await left());
  const isClean = leftovers.every(([, count]) => count === 0);
  printFact("left", leftovers.map(([what, count]) => `${count} ${what}`).join(", "));
  const fault = failed.length === 0 ? "" : `, but not as they should: ${failed.join(", ")}`;
  printFact("ended", `${started} of ${started} that were started${fault}`);
  if (failed.length > 0 || !isClean) return 1;
  if (isDone) return 0;
  console.log("\nStopped before its end: what was not decided yet did not run.");
  return 130;
}

function printFact(label: string, text: string): void {
  console.log(`  ${label.padEnd(10)}  ${text}`);
}
