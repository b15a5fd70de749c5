import { isPermissionGateError } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { success } from "../../src/dispatch-result.js";
import { type RepeatGuardOptions, repeatGuard } from "../../src/guards/repeat-guard.js";

/** A guard, and calls that begin and end when told. */
function rig(options?: RepeatGuardOptions) {
  const guard = repeatGuard(options);
  let count = 0;
  const begin = (argsDigest: string, toolName = "t", dryRun?: boolean) => {
    const call = { toolName, argsDigest, callId: `call-${count++}` };
    const verdict = guard.before(dryRun === undefined ? call : { ...call, dryRun });
    return {
      isStopped: verdict !== null,
      verdict,
      end: () => guard.after?.(call, success(call.callId, null, 0)),
    };
  };
  /** Whether the call was stopped. */
  const run = (argsDigest: string, toolName = "t") => {
    const call = begin(argsDigest, toolName);
    if (!call.isStopped) call.end();
    return call.isStopped;
  };
  return { begin, run };
}

const times = <T>(count: number, act: () => T): T[] => Array.from({ length: count }, act);

describe("repeatGuard", () => {
  it("stops the fourth same call in a row, and says why", () => {
    const { begin, run } = rig();
    expect(times(3, () => run("a"))).toEqual([false, false, false]);
    expect(begin("a").verdict).toEqual({
      action: "stop",
      reason: "tool 't' was called with the same input more than 3 times in a row",
    });
  });

  it("takes another input and another tool for another call, which ends the row", () => {
    const { run } = rig({ limit: 2 });
    expect([run("a"), run("a"), run("b"), run("a"), run("a")]).not.toContain(true);
    expect(run("a", "u")).toBe(false);
    expect([run("a"), run("a"), run("a")]).toEqual([false, false, true]);
  });

  it("does not stop two calls that take turns", () => {
    const { run } = rig({ limit: 1 });
    expect(times(20, () => [run("a"), run("b")]).flat()).not.toContain(true);
  });

  it("counts concurrent calls, and lets exactly the limit run of a parallel batch", () => {
    const { begin } = rig({ limit: 3 });
    const batch = times(8, () => begin("a"));
    expect(batch.filter(({ isStopped }) => !isStopped)).toHaveLength(3);
    expect(batch.slice(3).every(({ isStopped }) => isStopped)).toBe(true);
  });

  it("begins the row anew after a stop", () => {
    const { run } = rig({ limit: 2 });
    expect(times(6, () => run("a"))).toEqual([false, false, true, false, false, true]);
  });

  it("begins anew after a stop only once the batch has ended", () => {
    const { begin, run } = rig({ limit: 2 });
    const batch = times(3, () => begin("a"));
    batch[0]?.end();
    expect(run("a")).toBe(true);
    batch[1]?.end();
    expect(run("a")).toBe(false);
  });

  it("is not stuck on a call that never reports back: another call ends the row", () => {
    const { begin, run } = rig({ limit: 2 });
    times(2, () => begin("a"));
    expect([run("a"), run("a")]).toEqual([true, true]);
    expect(run("b")).toBe(false);
    expect(times(3, () => run("a"))).toEqual([false, false, true]);
  });

  it("takes the late end of a row that is over for nothing", () => {
    const { begin, run } = rig({ limit: 2 });
    const late = begin("a");
    run("b");
    run("a");
    late.end();
    expect([run("a"), run("a")]).toEqual([false, true]);
  });

  it("says in a dry run what a call would meet, and counts nothing", () => {
    const { begin, run } = rig({ limit: 2 });
    expect(times(5, () => begin("a", "t", true).isStopped)).not.toContain(true);
    run("a");
    run("a");
    expect(begin("a", "t", true).isStopped).toBe(true);
    expect(begin("b", "t", true).isStopped).toBe(false);
    expect(run("a")).toBe(true);
  });

  it("keeps apart tools and inputs whose texts join to the same", () => {
    const { run } = rig({ limit: 1 });
    expect([run("bc", "a"), run("c", "ab")]).toEqual([false, false]);
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3" as unknown as number])(
    "refuses the limit %s",
    (limit) => {
      expect(() => repeatGuard({ limit })).toThrow(
        expect.toSatisfy((error) => isPermissionGateError(error, "invalid_option")),
      );
    },
  );

  it("stops exactly where more than the limit came in a row, counting anew after each stop", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b")), fc.integer({ min: 1, max: 4 }), (digests, limit) => {
        const { run } = rig({ limit });
        let last = "";
        let count = 0;
        for (const digest of digests) {
          count = digest === last ? count + 1 : 1;
          last = digest;
          expect(run(digest)).toBe(count > limit);
          if (count > limit) count = 0;
        }
      }),
    );
  });
});
