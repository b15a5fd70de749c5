import { FileGrantStore } from "@x/grants-file";
import { createGate, type GateOptions, type Judges } from "@x/middleware";
import { JsonlLedger } from "@x/middleware/ledger";
import type { GateDecision } from "@x/permission-core";
import { chooseApprover } from "./approvers.js";
import { helpOf, parseArguments } from "./arguments.js";
import { BadInput } from "./bad-input.js";
import { CallWatch } from "./call-watch.js";
import { requireKnownTools } from "./known-tools.js";
import { makeWorkspace } from "./make-workspace.js";
import { dispatchCall, evaluateCall } from "./replay-call.js";
import { callLine } from "./report/call-line.js";
import { countVerdicts } from "./report/count-verdicts.js";
import { print, printHeader, printReport, printTraces } from "./report/print.js";
import { exitCodeOf, stopSignal } from "./stop-signal.js";
import { type ProjectTools, projectTools } from "./tools/project-tools.js";
import { readTranscript } from "./transcript.js";
import { locateWorkspace } from "./workspace.js";

/** What decides on the calls of a session. */
export type SessionJudges = Judges<ProjectTools> &
  Pick<GateOptions<ProjectTools>, "mode" | "workspace" | "rememberTools">;

export interface Session {
  /** of the program, for its messages and its folder */
  name: string;
  /** `project` is the folder that the tools work in, a real path */
  judges(project: string): SessionJudges | Promise<SessionJudges>;
}

/** A program's main: replays a session, and leaves the exit code. Bad input is one line and code 2. */
export async function runProgram(session: Session): Promise<void> {
  try {
    process.exitCode = await runSession(session);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    process.stderr.write(`${session.name}: ${error.message}\n`);
    process.exitCode = 2;
  }
}

/** The main job: each call of the session goes through the gate, in order. */
async function runSession({ name, judges }: Session): Promise<number> {
  const signal = stopSignal();
  const options = parseArguments(name, process.argv.slice(2));
  if (options.help) {
    process.stdout.write(helpOf(name));
    return 0;
  }
  const transcript = readTranscript(options.transcript);
  const workspace = locateWorkspace(name, options.workspace, transcript, options);
  const tools = projectTools(workspace.project, options);
  requireKnownTools(transcript, tools);
  if (!options.dryRun) makeWorkspace(workspace);
  const approver = chooseApprover(options.answer, workspace);

  // Or of the core package, in memory and for one run only: new MemoryGrantStore()
  const grants = new FileGrantStore({ projectDir: workspace.project, rootDir: workspace.grants });
  const ledger = new JsonlLedger({ file: workspace.ledger, onReport: printReport });
  const watch = new CallWatch();

  const gate = createGate({
    tools,
    ...(await judges(workspace.project)),
    askResolver: approver.resolver,
    isNonInteractive: !approver.isPerson,
    grants,
    observers: [ledger, watch],
    onReport: printReport,
  });

  printHeader(transcript, workspace, options.dryRun ? "nobody: this is a dry run" : approver.title);
  const decisions: (GateDecision | null)[] = [];
  for (const [index, call] of transcript.calls.entries()) {
    if (signal.aborted) break;
    const replayed = options.dryRun
      ? await evaluateCall(gate, call)
      : await dispatchCall(gate, call, { watch, signal });
    if (replayed === null) break;
    decisions.push(replayed.decision);
    print(callLine(index + 1, call, replayed.decision, replayed.told));
  }
  await gate.close();
  await ledger.close();

  print();
  print(countVerdicts(decisions));
  if (options.dryRun) print("Nothing was asked, run or written.");
  else await printTraces(workspace, ledger.file, grants);
  return exitCodeOf(signal);
}
