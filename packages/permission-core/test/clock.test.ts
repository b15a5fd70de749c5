import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../src/clock.js";

describe("systemClock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("tells Unix time in milliseconds", () => {
    expect(systemClock.now()).toBe(1_700_000_000_000);
  });

  it.each([0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 5, 90 * 86_400_000])(
    "calls back once after %d ms, not before",
    (delayMs) => {
      const callback = vi.fn();
      systemClock.setTimer(callback, delayMs);
      vi.advanceTimersByTime(Math.max(delayMs - 1, 0));
      if (delayMs > 0) expect(callback).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(callback).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(2 ** 31);
      expect(callback).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it.each([0, 2 ** 31 + 10])("can be cancelled %d ms into a long wait", (afterMs) => {
    const callback = vi.fn();
    const timer = systemClock.setTimer(callback, 2 ** 33);
    vi.advanceTimersByTime(afterMs);
    timer.cancel();
    timer.cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2 ** 33);
    expect(callback).not.toHaveBeenCalled();
  });

  it("never calls back after an infinite delay", () => {
    const callback = vi.fn();
    const timer = systemClock.setTimer(callback, Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(2 ** 33);
    expect(callback).not.toHaveBeenCalled();
    timer.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });
});
