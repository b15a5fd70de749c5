import type { Clock } from "@x/permission-core";

/**
 * The host's clock, but pauses are over at once. What is as long as a bound of `bounds`, or longer than an hour, is no pause and
 * takes its time. `pausesMs` has how long each pause would have been, `live` how many timers are set.
 */
export function hastyClock(bounds: readonly number[] = [10_000, 30_000]) {
  const pausesMs: number[] = [];
  const state = { live: 0 };
  const clock: Clock = {
    now: () => Date.now(),
    setTimer(callback, delayMs) {
      const isPause = !bounds.includes(delayMs) && delayMs < 3_000_000;
      if (isPause) pausesMs.push(delayMs);
      state.live += 1;
      let isLive = true;
      const over = () => {
        if (isLive) state.live -= 1;
        isLive = false;
      };
      const fire = () => {
        over();
        callback();
      };
      const timer = setTimeout(fire, isPause ? 0 : Math.min(delayMs, 2 ** 31 - 1));
      return {
        cancel: () => {
          over();
          clearTimeout(timer);
        },
      };
    },
  };
  return { clock, pausesMs, state };
}
