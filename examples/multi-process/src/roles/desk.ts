import { terminalAskResolver } from "@x/ask-channel/terminal";
import {
  type Approver,
  type AskAnswer,
  type AskResolution,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { quietly } from "../quietly.js";
import type { RoleContext } from "./role.js";

const CONTROL_C = "\u0003";
/** How often it is looked whether the ask on screen still waits. */
const LOOK_EVERY_MS = 500;

/** What the desk says to an ask; null: it leaves it to others, or the ask has ended. */
type Decide = (ask: PendingAsk, signal: AbortSignal) => Promise<AskAnswer | AskResolution | null>;

export function isAtTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Answers the asks of all workers, one after the other: a person where there is a terminal, else a script. */
export async function sitAtDesk({ backends, signal, up }: RoleContext): Promise<void> {
  const { approver } = backends.asks;
  const leaving = new AbortController();
  const ended = AbortSignal.any([signal, leaving.signal]);
  const stopWatching = isAtTerminal() ? onControlC(() => leaving.abort()) : () => {};
  const decide: Decide = isAtTerminal() ? atTerminal(approver) : byScript;
  up();
  for (;;) {
    const ask = await approver.nextPending({ signal: ended }).catch(() => null);
    if (ask === null) break;
    const answer = await decide(ask, ended);
    if (answer === null || ended.aborted) continue;
    // What could not be given changes nothing: the ask waits on, for others or its deadline.
    await approver.answer(ask, answer).catch((error) => console.error("! an answer was not given", error));
  }
  stopWatching();
}

/** Shows an ask for as long as it waits: it may be answered elsewhere, or expire. */
function atTerminal(approver: Approver): Decide {
  const terminal = terminalAskResolver({ decidedBy: "desk", ...quietly });
  return async (ask, ended) => {
    const over = new AbortController();
    const look = async () => {
      const waiting = await approver.list();
      if (waiting.some(({ id }) => id === ask.id)) return;
      const code =
        (ask.expires_at_ms ?? Number.POSITIVE_INFINITY) <= Date.now() ? "ask_expired" : "ask_answered";
      over.abort(new PermissionGateError(code, `ask ${ask.id} waits no more`));
    };
    // Where the channel is out of reach, the ask stays on screen.
    const looking = setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS);
    const signal = AbortSignal.any([ended, over.signal]);
    try {
      return await terminal.resolve(ask, { signal, isNonInteractive: false });
    } catch {
      return null;
    } finally {
      clearInterval(looking);
    }
  };
}

/** Stands in for the person, so that this runs where nobody sits. It leaves to the phones what is to be published. */
const byScript: Decide = async ({ tool }) => {
  if (tool === "add_note") return { resolution: "Approve", remember: "this_tool", decided_by: "desk" };
  if (tool === "delete_note") return { resolution: "Deny", reason: "notes are kept", decided_by: "desk" };
  return null;
};

/** At a question Ctrl-C is a key, which denies; here it ends the whole run, too. */
function onControlC(act: () => void): () => void {
  const listen = (keys: Buffer | string) => {
    if (keys.includes(CONTROL_C)) act();
  };
  process.stdin.on("data", listen);
  return () => {
    process.stdin.off("data", listen);
    process.stdin.pause();
  };
}
