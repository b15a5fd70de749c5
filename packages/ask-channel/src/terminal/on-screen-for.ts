import type { Writable } from "node:stream";
import type { Clock } from "@x/permission-core";

/**
 * Calls back once what was written to `output` has been on screen for `delayMs`, and what was typed in that time has
 * been read: a busy process would otherwise take an early key for a late one. Gives the function that calls it off.
 */
export function onScreenFor(
  output: Writable,
  clock: Clock,
  delayMs: number,
  callback: () => void,
): () => void {
  let off = false;
  let timer: { cancel(): void } | undefined;
  let immediate: NodeJS.Immediate | undefined;
  output.write("", (error) => {
    if (off || (error !== null && error !== undefined)) return;
    // Timers fire before input is read in a turn of the loop, immediates after.
    timer = clock.setTimer(() => {
      immediate = setImmediate(callback);
    }, delayMs);
  });
  return () => {
    off = true;
    timer?.cancel();
    clearImmediate(immediate);
  };
}
