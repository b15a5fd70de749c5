import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { displaySafe, type GrantStore, type ReportEvent } from "@x/permission-core";
import { messageOf } from "../bad-input.js";
import type { Transcript } from "../transcript.js";
import type { Workspace } from "../workspace.js";
import { LINE_HEAD } from "./call-line.js";
import { counted } from "./counted.js";
import { grantLine } from "./grant-line.js";

const STATES: Readonly<Record<Workspace["state"], string>> = {
  new: "made just now",
  kept: "as an earlier run left it",
  missing: "not made; judged by the original of the project",
};

export function print(line = ""): void {
  process.stdout.write(`${line}\n`);
}

export function printHeader(transcript: Transcript, workspace: Workspace, approver: string): void {
  print("Permission Gate: a recorded agent session, replayed through the gate");
  print();
  printFact("transcript", `${shown(transcript.file)} (${counted(transcript.calls.length, "call")})`);
  printFact("workspace", `${shown(workspace.folder)} (${STATES[workspace.state]})`);
  printFact("approver", approver);
  print();
  print(LINE_HEAD);
}

function printFact(label: string, text: string): void {
  print(`  ${label.padEnd(11)} ${text}`);
}

/** Where the run left its traces, and what is remembered from now on. */
export async function printTraces(workspace: Workspace, ledger: string, grants: GrantStore): Promise<void> {
  printFact("ledger", `${shown(ledger)} (${await linesOf(ledger)})`);
  printFact("grants", shown(workspace.grants));
  try {
    for (const grant of await grants.load()) printFact("", grantLine(grant));
  } catch (error) {
    printFact("", `They cannot be read: ${shown(messageOf(error))}`);
  }
}

async function linesOf(file: string): Promise<string> {
  let count = 0;
  try {
    // An empty line may follow one that a crash cut off.
    for await (const line of createInterface({ input: createReadStream(file) })) if (line !== "") count++;
    return counted(count, "line");
  } catch (error) {
    return `it cannot be read: ${shown(messageOf(error))}`;
  }
}

const reported = new Set<string>();

/**
 * What the library reports beside its results, each thing once. Refusals are reported too, but their lines say all about
 * them.
 */
export function printReport({ message, cause }: ReportEvent): void {
  if (isDecision(cause) || reported.has(message)) return;
  reported.add(message);
  const why = cause === undefined ? "" : ` (${messageOf(cause)})`;
  process.stderr.write(`! ${shown(message + why)}\n`);
}

function isDecision(cause: unknown): boolean {
  return typeof cause === "object" && cause !== null && "verdict" in cause;
}

function shown(text: string): string {
  return displaySafe(text, { maxLength: 400 }).text;
}
