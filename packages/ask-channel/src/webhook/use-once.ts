import type { Clock, OnReport } from "@x/permission-core";
import type { CallbackStore } from "./callback-store.js";
import { sleep } from "./sleep.js";

/** Between two looks at a key that somebody else has. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

export interface Use<Value extends object> {
  readonly key: string;
  readonly owner: string;
  /** after which another may take the key, as this process died */
  readonly leaseMs: number;
  readonly keepMs: number;
  /** What to keep of what was done; null: nothing, so that it is done again next time. */
  textOf(value: Value): string | null;
}

/** What a use needs beside its key. */
export interface UseTools {
  readonly store: CallbackStore;
  readonly clock: Clock;
  readonly report: OnReport;
}

/**
 * Does it, unless it was done under this key before: then gives the text that was kept of it. While another is at it, this waits for
 * the other's end. Rejects with what `act` throws, with nothing kept, and with the reason of `signal` when that aborts in the wait.
 * Once `act` gave a value, that is the outcome: a store that fails then is reported, and the lease keeps others away for a while.
 */
export async function useOnce<Value extends object>(
  { store, clock, report }: UseTools,
  use: Use<Value>,
  act: () => Promise<Value>,
  signal: AbortSignal,
): Promise<{ kind: "done_now"; value: Value } | { kind: "done_before"; text: string }> {
  const { key, owner, leaseMs, keepMs } = use;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const state = await store.begin(key, { owner, leaseMs });
    if (state.kind === "done") return { kind: "done_before", text: state.text };
    if (state.kind === "begun") break;
    await sleep(clock, pauseMs, signal);
  }
  const conclude = async (value: Value | null) => {
    const text = value === null ? null : use.textOf(value);
    try {
      if (text === null) await store.release(key, { owner });
      else await store.finish(key, { owner, text, keepMs });
    } catch (cause) {
      report({
        level: "error",
        message: "a webhook callback's store could not note that it was handled",
        cause,
      });
    }
  };
  let value: Value;
  try {
    value = await act();
  } catch (error) {
    await conclude(null);
    throw error;
  }
  await conclude(value);
  return { kind: "done_now", value };
}
