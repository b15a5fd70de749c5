import { isPermissionGateError } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY } from "../support/asks.js";
import { compositionTree, nodesOf, type Tree } from "../support/composition-tree.js";
import { endingOf, MOST_ASKED } from "../support/tree-reference.js";
import { type LeafLog, type TreeEnding, TreeRun } from "../support/tree-run.js";

const END = fc.record({
  // A fraction that no time of a tree has.
  atMs: fc.integer({ min: 0, max: 60 }).map((ms) => ms + 2 ** -45),
  code: fc.constantFrom("ask_cancelled" as const, "ask_expired" as const),
});

/** What the plain account says: the tree's own ending, unless the wait is called off before. */
function expected(tree: Tree, end: { atMs: number; code: string }, isUnattended: boolean) {
  const ending = endingOf(tree, 0, isUnattended);
  if (ending.kind === "never" || ending.atMs > end.atMs) return { atMs: end.atMs, code: end.code };
  const { atMs, answer, code } = ending;
  return answer === undefined ? { atMs, code } : { atMs, value: answer };
}

describe("whatever is composed, and whenever the wait is called off", () => {
  it("it ends once, as a plain account says, leaves nothing, and tells everybody who was asked", async () => {
    await fc.assert(
      fc.asyncProperty(compositionTree, END, fc.boolean(), async (tree, end, isUnattended) => {
        const run = new TreeRun(tree);
        const { endings, reason } = await run.run(end, isUnattended);
        expect(endings).toEqual([{ ...expected(tree, end, isUnattended), left: 0 }]);
        const [{ atMs: endMs, value }] = endings as [TreeEnding];
        const isCalledOff = endMs === end.atMs;
        const endsAlone = nodesOf(tree).some(
          (node) => node.kind === "quorum" || node.kind === "withDeadline",
        );

        for (const log of run.logs.filter(({ asked, leaf }) => asked > 0 && leaf.how !== "channel")) {
          const hasSpoken = log.spokeAtMs !== null && log.spokeAtMs <= endMs;
          // Whoever has answered is not called off, whoever has not is, and hears why.
          if (log.calledOff === null) expect(hasSpoken).toBe(true);
          else {
            expect(log.spokeAtMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(log.calledOff.atMs);
            expect(isPermissionGateError(log.calledOff.reason)).toBe(true);
            if (log.calledOff.atMs === end.atMs && isCalledOff) expect(log.calledOff.reason).toBe(reason);
            else if (!endsAlone) expect(log.calledOff.reason).toMatchObject({ code: "ask_answered" });
          }
        }
        if (value === "Approve" || (typeof value === "object" && value.resolution === "Approve")) {
          const hasApproved = ({ leaf, spokeAtMs }: LeafLog) =>
            leaf.says === "approve" && spokeAtMs !== null && spokeAtMs <= endMs;
          expect(run.logs.some(hasApproved)).toBe(true);
        }
        for (const { channel, status, spokeAtMs } of run.logs) {
          if (channel === null) continue;
          expect(channel.load()).toEqual({ ...EMPTY, readers: channel.load().readers });
          if (status === null || spokeAtMs === null || spokeAtMs <= endMs) continue;
          if (isCalledOff && !endsAlone)
            expect(status).toBe(end.code === "ask_expired" ? "expired" : "cancelled");
          else if (!endsAlone) expect(status).toBe("already_answered");
          else expect(status).not.toBe("delivered");
        }

        // One quorum asks again what another, inside, asks again.
        const mostAsked = MOST_ASKED ** nodesOf(tree).filter((node) => node.kind === "quorum").length;
        await run.composition.settled?.(run.ask, "completed");
        await run.composition.settled?.(run.ask, "completed");
        for (const { asked, told, leaf } of run.logs) {
          expect(asked).toBeLessThanOrEqual(mostAsked);
          if (leaf.how !== "function") expect(told).toEqual(asked > 0 ? ["A"] : []);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
