import { isPermissionGateError } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, success, type ToolDispatchResult } from "../../src/dispatch-result.js";
import { type CircuitBreakerOptions, circuitBreaker } from "../../src/guards/circuit-breaker.js";
import type { ToolErrorKind } from "../../src/tool.js";

const REFUSED = { action: "refuse", reason: "tool temporarily unavailable: circuit breaker open" };

type Ending = "ok" | "cached" | ToolErrorKind;

function resultOf(callId: string, ending: Ending): ToolDispatchResult {
  if (ending === "ok") return success(callId, "done", 1);
  if (ending === "cached") return { ...success(callId, "done", 0), cached: true };
  return failure(callId, ending, "no");
}

/** A breaker with its clock, and calls that begin and end when told. */
function rig(options: Omit<CircuitBreakerOptions, "clock"> = {}) {
  const clock = new ManualClock();
  const guard = circuitBreaker({ ...options, clock });
  let count = 0;
  const begin = (toolName = "t", dryRun?: boolean) => {
    const call = { toolName, argsDigest: "0".repeat(16), callId: `call-${count++}` };
    const verdict = guard.before(dryRun === undefined ? call : { ...call, dryRun });
    return { verdict, end: (ending: Ending) => guard.after?.(call, resultOf(call.callId, ending)) };
  };
  const run = (ending: Ending, toolName = "t") => {
    const { verdict, end } = begin(toolName);
    if (verdict === null) end(ending);
    return verdict;
  };
  const fail = (times: number, toolName = "t") => {
    for (let index = 0; index < times; index++) run("tool", toolName);
  };
  return { clock, begin, run, fail };
}

describe("circuitBreaker", () => {
  it("refuses after five failures in a row", () => {
    const { run, fail } = rig();
    fail(4);
    expect(run("timeout")).toBeNull();
    expect(run("ok")).toEqual(REFUSED);
  });

  it("keeps tools apart, whatever they are called", () => {
    const { run, fail } = rig({ failureThreshold: 1 });
    fail(1, "constructor");
    expect(run("ok", "constructor")).toEqual(REFUSED);
    expect(run("ok", "toString")).toBeNull();
    expect(run("ok", "__proto__")).toBeNull();
  });

  it("begins to count anew after a success", () => {
    const { run, fail } = rig({ failureThreshold: 3 });
    fail(2);
    run("ok");
    fail(2);
    expect(run("ok")).toBeNull();
  });

  it.each<Ending>(["permission", "validation", "guard", "cancelled", "unknown_tool", "cached"])(
    "neither counts a call that ends with %s nor takes it for a success",
    (ending) => {
      const { run, fail } = rig({ failureThreshold: 2 });
      for (let index = 0; index < 5; index++) run(ending);
      expect(run("tool")).toBeNull();
      run(ending);
      fail(1);
      expect(run("ok")).toEqual(REFUSED);
    },
  );

  it("stays open until its time has passed, and not a millisecond less", () => {
    const { clock, run, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
    fail(1);
    clock.advance(999);
    expect(run("ok")).toEqual(REFUSED);
    clock.advance(1);
    expect(run("ok")).toBeNull();
    expect(run("ok")).toBeNull();
  });

  it("lets exactly one trial through while half open", () => {
    const { clock, begin, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
    fail(1);
    clock.advance(1_000);
    const trial = begin();
    expect(trial.verdict).toBeNull();
    expect(begin().verdict).toEqual(REFUSED);
    trial.end("ok");
    expect(begin().verdict).toBeNull();
    expect(begin().verdict).toBeNull();
  });

  it("opens anew, for the whole time, when the trial fails", () => {
    const { clock, run, fail } = rig({ failureThreshold: 3, resetAfterMs: 1_000 });
    fail(3);
    clock.advance(1_000);
    expect(run("tool")).toBeNull();
    clock.advance(999);
    expect(run("ok")).toEqual(REFUSED);
    clock.advance(1);
    expect(run("ok")).toBeNull();
  });

  it.each<Ending>(["permission", "validation", "guard", "cancelled", "cached"])(
    "lets the next call try where the trial ends with %s",
    (ending) => {
      const { clock, begin, run, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
      fail(1);
      clock.advance(1_000);
      begin().end(ending);
      const next = begin();
      expect(next.verdict).toBeNull();
      expect(run("ok")).toEqual(REFUSED);
    },
  );

  it("lets another call try once a trial has not reported back for as long as the circuit stays open", () => {
    const { clock, begin, run, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
    fail(1);
    clock.advance(1_000);
    const lost = begin();
    clock.advance(999);
    expect(run("ok")).toEqual(REFUSED);
    clock.advance(1);
    const next = begin();
    expect(next.verdict).toBeNull();
    lost.end("tool");
    next.end("ok");
    expect(run("ok")).toBeNull();
  });

  it("takes late failures of calls that were under way for nothing new, and a late success for a recovery", () => {
    const { clock, begin, run } = rig({ failureThreshold: 2, resetAfterMs: 1_000 });
    const calls = Array.from({ length: 4 }, () => begin());
    calls[0]?.end("tool");
    calls[1]?.end("tool");
    clock.advance(900);
    calls[2]?.end("tool");
    clock.advance(99);
    expect(run("ok")).toEqual(REFUSED);
    calls[3]?.end("ok");
    expect(run("ok")).toBeNull();
  });

  it("says in a dry run what a call would meet, and takes no trial", () => {
    const { clock, begin, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
    fail(1);
    expect(begin("t", true).verdict).toEqual(REFUSED);
    clock.advance(1_000);
    expect(begin("t", true).verdict).toBeNull();
    expect(begin("t", true).verdict).toBeNull();
    const trial = begin();
    expect(trial.verdict).toBeNull();
    expect(begin("t", true).verdict).toEqual(REFUSED);
  });

  it("is not held open by a clock that is set back", () => {
    const { clock, run, fail } = rig({ failureThreshold: 1, resetAfterMs: 1_000 });
    fail(1);
    clock.set(clock.now() - 86_400_000);
    expect(run("ok")).toBeNull();
  });

  it("never closes by itself with an infinite time, and tries at once with none", () => {
    const never = rig({ failureThreshold: 1, resetAfterMs: Number.POSITIVE_INFINITY });
    never.fail(1);
    never.clock.advance(1e12);
    expect(never.run("ok")).toEqual(REFUSED);
    const atOnce = rig({ failureThreshold: 1, resetAfterMs: 0 });
    atOnce.fail(1);
    expect(atOnce.run("ok")).toBeNull();
  });

  it.each([
    { failureThreshold: 0 },
    { failureThreshold: 1.5 },
    { failureThreshold: Number.NaN },
    { failureThreshold: Number.POSITIVE_INFINITY },
    { resetAfterMs: -1 },
    { resetAfterMs: Number.NaN },
    { resetAfterMs: "1s" as unknown as number },
  ])("refuses the options %j", (options) => {
    expect(() => circuitBreaker(options)).toThrow(
      expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")),
    );
  });

  it("opens exactly at the threshold of failures since the last success", () => {
    const ending = fc.constantFrom<Ending>("ok", "tool", "timeout", "permission", "cancelled", "cached");
    fc.assert(
      fc.property(fc.array(ending), fc.integer({ min: 1, max: 4 }), (endings, failureThreshold) => {
        const { run } = rig({ failureThreshold });
        let failures = 0;
        for (const next of endings) {
          const isOpen = failures >= failureThreshold;
          expect(run(next)).toEqual(isOpen ? REFUSED : null);
          if (isOpen) continue;
          if (next === "ok") failures = 0;
          else if (next === "tool" || next === "timeout") failures += 1;
        }
      }),
    );
  });
});
