import { checkCount } from "../check-option.js";
import type { DispatchGuard } from "./guard.js";

export interface RepeatGuardOptions {
  /** how often the same call may come in a row; default 3 */
  limit?: number;
}

/** The same call, over and over. */
interface Streak {
  toolName: string;
  argsDigest: string;
  count: number;
  /** ids of its calls that were let through and have not reported back */
  running: Set<string>;
  isStopped: boolean;
}

/**
 * Stops a run that makes the same call (tool and arguments) more than `limit` times in a row, whatever came of it.
 * Concurrent calls count in the order in which they arrive; any other call ends the row.
 *
 * After a stop the host may go on: the row then begins anew, so that the same call may come `limit` times again. As long as
 * calls of the row still run (siblings of a parallel batch), the stop holds for every further one; a call that never
 * reports back (cancelled, or refused by a guard after this one) counts as running until some other call is made.
 *
 * Throws `invalid_option` for a limit that is no whole number from 1 up.
 */
export function repeatGuard({ limit = 3 }: RepeatGuardOptions = {}): DispatchGuard {
  checkCount("limit", limit);
  let streak: Streak | null = null;

  /** The row that a call belongs to, or null where it would begin one. */
  const rowOf = (call: { toolName: string; argsDigest: string }): Streak | null =>
    streak?.toolName === call.toolName && streak.argsDigest === call.argsDigest ? streak : null;

  return {
    name: "repeat-guard",
    before({ toolName, argsDigest, callId, dryRun = false }) {
      const row = rowOf({ toolName, argsDigest });
      const isTooMany = row !== null && row.count >= limit;
      if (!dryRun) {
        if (isTooMany) stop(row);
        else {
          streak = row ?? { toolName, argsDigest, count: 0, running: new Set(), isStopped: false };
          streak.count += 1;
          streak.running.add(callId);
        }
      }
      return isTooMany
        ? {
            action: "stop",
            reason: `tool '${toolName}' was called with the same input more than ${times(limit)} in a row`,
          }
        : null;
    },
    after(call) {
      const row = rowOf(call);
      if (row?.running.delete(call.callId) && row.isStopped) stop(row);
    },
  };

  function stop(row: Streak): void {
    row.isStopped = true;
    if (row.running.size === 0) streak = null;
  }
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}
