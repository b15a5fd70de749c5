import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it, vi } from "vitest";
import { onAbort } from "../src/on-abort.js";

const listeners = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("onAbort", () => {
  it("puts one listener on a signal for ten thousand waits, none once they ended, and no warning", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const warned = vi.fn();
    process.on("warning", warned);
    const { signal } = new AbortController();
    const leave = Array.from({ length: 10_000 }, () => onAbort(signal, () => {}));
    expect(listeners(signal)).toBe(1);
    leave.pop()?.();
    expect(listeners(signal)).toBe(1);
    for (const unsubscribe of leave) unsubscribe();
    expect(listeners(signal)).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", warned);
    expect(warn).not.toHaveBeenCalled();
    expect(warned).not.toHaveBeenCalled();
  });

  it("calls in order of registration, before abort() returns, and leaves no listener", () => {
    const controller = new AbortController();
    const calls: number[] = [];
    for (let number = 0; number < 5; number++) onAbort(controller.signal, () => calls.push(number));
    controller.abort();
    expect(calls).toEqual([0, 1, 2, 3, 4]);
    expect(listeners(controller.signal)).toBe(0);
  });

  it("calls once, however often the event comes", () => {
    const controller = new AbortController();
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    controller.abort();
    controller.abort();
    controller.signal.dispatchEvent(new Event("abort"));
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it("does not call whoever left", () => {
    const controller = new AbortController();
    const [stays, leaves] = [vi.fn(), vi.fn()];
    const leave = onAbort(controller.signal, leaves);
    onAbort(controller.signal, stays);
    leave();
    controller.abort();
    expect(stays).toHaveBeenCalledTimes(1);
    expect(leaves).not.toHaveBeenCalled();
  });

  // Known fault: while abort() announces, leaving has no effect. This test turns red once that is mended.
  it("does not call whoever leaves while the others are called", () => {
    const controller = new AbortController();
    const calls: string[] = [];
    onAbort(controller.signal, () => {
      calls.push("first");
      leave();
    });
    const leave = onAbort(controller.signal, () => calls.push("second"));
    onAbort(controller.signal, () => calls.push("third"));
    controller.abort();
    expect(calls).toEqual(["first", "third"]);
  });

  it("takes one function twice, each with its own way out", () => {
    const controller = new AbortController();
    const callback = vi.fn();
    const leave = onAbort(controller.signal, callback);
    onAbort(controller.signal, callback);
    leave();
    leave();
    expect(listeners(controller.signal)).toBe(1);
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it("keeps a later subscription when an unsubscribe of an earlier round is called again", () => {
    const controller = new AbortController();
    const leave = onAbort(controller.signal, () => {});
    leave();
    const callback = vi.fn();
    onAbort(controller.signal, callback);
    leave();
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it("calls nothing on a signal that is already aborted", async () => {
    const callback = vi.fn();
    const leave = onAbort(AbortSignal.abort(), callback);
    await Promise.resolve();
    leave();
    expect(callback).not.toHaveBeenCalled();
  });
});
