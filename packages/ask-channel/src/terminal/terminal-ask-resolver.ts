import {
  type AskAnswer,
  type AskResolver,
  type Clock,
  isPermissionGateError,
  onAbort,
  type PendingAsk,
  PermissionGateError,
  systemClock,
} from "@x/permission-core";
import { AskDialog, type DialogResult } from "./ask-dialog.js";
import { listenToKeys } from "./listen-to-keys.js";
import {
  isTerminal,
  type SizedTerminalOutput,
  type TerminalInput,
  type TerminalOutput,
  withKnownSize,
} from "./terminal-streams.js";
import { turnsAt } from "./turns.js";

const SHOW_CURSOR = "\u001b[?25h";

export interface TerminalAskResolverOptions {
  /** Where keys come from; default `process.stdin`. Nothing else should read it while an ask is on screen. */
  input?: TerminalInput;
  /** Where asks are shown; default `process.stdout`. */
  output?: TerminalOutput;
  /** Who sits here; goes into `decided_by` of every answer. Left out: answers carry none. */
  decidedBy?: string;
  clock?: Clock;
}

/**
 * Asks at this terminal. Several asks queue, one is on screen at a time. Deny is selected at first and answers Escape,
 * `n`, Ctrl-C, Ctrl-D and the end of the input; approving takes an arrow key and Enter, both pressed after the list
 * has been on screen for 300 ms. Rejects with `signal.reason` when that aborts, and takes the prompt down; with code
 * `ask_unavailable` when input or output is no terminal, when the run is unattended, or when the terminal fails.
 */
export function terminalAskResolver(options: TerminalAskResolverOptions = {}): AskResolver {
  const terminal: Terminal = {
    input: options.input ?? process.stdin,
    output: withKnownSize(options.output ?? process.stdout),
    clock: options.clock ?? systemClock,
    decidedBy: options.decidedBy,
  };
  return {
    interactive: true,
    resolve(pending, context) {
      const answer = answerInTurn(terminal, pending, context);
      // A caller whose wait ended otherwise has stopped listening.
      answer.catch(() => {});
      return answer;
    },
  };
}

interface Terminal {
  input: TerminalInput;
  output: SizedTerminalOutput;
  clock: Clock;
  decidedBy: string | undefined;
}

async function answerInTurn(
  terminal: Terminal,
  pending: PendingAsk,
  { signal, isNonInteractive }: { signal: AbortSignal; isNonInteractive: boolean },
): Promise<AskAnswer> {
  signal.throwIfAborted();
  if (isNonInteractive) throw new PermissionGateError("ask_unavailable", "this run is unattended");
  const endTurn = await turnsAt(terminal.input).take(signal);
  try {
    signal.throwIfAborted();
    if (!isTerminal(terminal.input, terminal.output)) {
      throw new PermissionGateError("ask_unavailable", "input and output must both be a terminal");
    }
    const result = await show(terminal, pending, signal);
    if (result.kind === "answer") return result.answer;
    if (result.kind === "withdrawn") throw signal.reason;
    throw new PermissionGateError("ask_unavailable", "the terminal failed", { cause: result.cause });
  } finally {
    endTurn();
  }
}

/** Runs one dialog. Whatever comes of it, the terminal is left as it was found: mode, cursor, listeners. */
async function show(terminal: Terminal, pending: PendingAsk, signal: AbortSignal): Promise<DialogResult> {
  const { input, output, clock } = terminal;
  const dialog = new AskDialog(pending, terminal);
  const onOutputError = (cause: Error) => dialog.end({ kind: "broken", cause });
  const showCursor = () => output.write(SHOW_CURSOR);
  const unsubscribe = onAbort(signal, () =>
    dialog.end({ kind: "withdrawn", text: withdrawal(signal.reason) }),
  );
  output.on("error", onOutputError);
  process.once("exit", showCursor);
  let stopListening = () => {};
  try {
    stopListening = listenToKeys(input, clock, {
      onKey: (key) => dialog.press(key),
      onEnd: (cause) =>
        dialog.end(
          cause === undefined
            ? { kind: "denied", reason: "the terminal's input ended" }
            : { kind: "broken", cause },
        ),
    });
    return await dialog.run();
  } catch (cause) {
    return { kind: "broken", cause };
  } finally {
    stopListening();
    unsubscribe();
    process.off("exit", showCursor);
    // A terminal that is gone says so once what was written last comes to it.
    output.write("", () => setImmediate(() => output.off("error", onOutputError)));
  }
}

function withdrawal(reason: unknown): string {
  if (isPermissionGateError(reason, "ask_expired")) return "Nobody answered in time. Denied.";
  if (isPermissionGateError(reason, "ask_answered")) return "Answered elsewhere.";
  return "The call was cancelled.";
}
