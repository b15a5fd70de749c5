import { terminalAskResolver } from "@x/ask-channel/terminal";
import {
  type Approver,
  type AskAnswer,
  type AskResolution,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import type { RoleContext } from "./role.js";

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
  const decide: Decide = isAtTerminal() ? atTerminal(approver) : byScript;
  up();
  for (;;) {
    const ask = await approver.nextPending({ signal }).catch(() => null);
    if (ask === null) break;
    const answer = await decide(ask, signal);
    if (answer === null || signal.aborted) continue;
    // What could not be given changes nothing: the ask waits on, for others or its deadline.
    await approver.answer(ask, answer).catch((error) => console.error("! an answer was not given", error));
  }
}

/** Shows an ask for as long as it waits: it may be answered elsewhere, or expire. */
function atTerminal(approver: Approver): Decide {
  const terminal = terminalAskResolver({ decidedBy: "desk" });
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
    } catch (error) {
      if (!signal.aborted) console.error("! the terminal failed; the ask is left to others", error);
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
