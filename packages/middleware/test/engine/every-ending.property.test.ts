import { getEventListeners } from "node:events";
import { decisiveRecord, type GateDecision, precedenceTier } from "@x/permission-core";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callOf, engineFor, turn } from "../support/engine-harness.js";
import { type Scenario, scenarios, setupOf } from "../support/random-dispatch.js";

const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
beforeAll(() => void process.on("unhandledRejection", onRejection));
afterAll(() => void process.off("unhandledRejection", onRejection));

/** How a dispatch ended, whichever way it did. */
interface Ending {
  output?: unknown;
  isError?: boolean;
  errorKind?: string | null;
  gate?: GateDecision | null;
  trail?: GateDecision[];
  rejected?: string;
}

/** Plays a scenario to its end: disturbs it when told, lets time pass until it ends, and then looks at what is left. */
async function play(scenario: Scenario) {
  const order: string[] = [];
  const cancel = new AbortController();
  const { engine, observer, clock, outcomes } = engineFor({
    ...setupOf(scenario, () => void order.push("ran")),
    observers: [
      {
        onToolPre: () => void order.push("tool_pre"),
        onAskParked: () => void order.push("ask_parked"),
        onGateDecision: () => void order.push("gate_decision"),
        onToolPost: () => void order.push("tool_post"),
      },
    ],
  });
  const holder: Ending[] = [];
  engine.dispatch(callOf({ signal: cancel.signal })).then(
    (result) => void holder.push(result),
    ({ code }: { code: string }) => void holder.push({ rejected: code }),
  );
  let closing: Promise<void> | null = null;
  for (let count = 0; count < 200 && holder.length === 0; count++) {
    if (count === scenario.disturbedAfter) {
      if (scenario.disturbance === "cancel") cancel.abort();
      if (scenario.disturbance === "close") closing = engine.close();
    }
    await turn();
    if (count > 10) clock.advance(31_000);
  }
  const hung = holder.length === 0;
  if (hung) cancel.abort();
  await turn();
  await (closing ?? engine.close());
  const atTheEnd = [...order];
  for (let count = 0; count < 6; count++) await turn();
  const [ending = {}] = holder;
  return { order, atTheEnd, ending, hung, observer, outcome: outcomes()[0], clock, signal: cancel.signal };
}

/** A tool that never comes back, and a question without an end that nobody answers, wait for the run to be called off. */
function mayHang({ tool, resolver, askTimeoutMs }: Scenario): boolean {
  return tool.does === "hang" || (resolver.says === "hang" && askTimeoutMs === 0);
}

const count = (order: readonly string[], name: string) => order.filter((each) => each === name).length;

it("keeps every promise of a dispatch, whoever says what when, and whatever disturbs it", async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const played = await play(scenario);
      const { order, ending, outcome } = played;
      const [decision] = played.observer.decisions;
      const trail = played.observer.events.flatMap(({ type, event }) =>
        type === "gate_decision" ? event.trail : [],
      );

      expect(count(order, "tool_pre")).toBe(1);
      expect(count(order, "tool_post")).toBe(1);
      expect(count(order, "gate_decision")).toBeLessThanOrEqual(1);
      expect(order[0]).toBe("tool_pre");
      expect(order.at(-1)).toBe("tool_post");
      if (decision !== undefined) expect(order.at(-2)).toBe("gate_decision");
      expect(order).toEqual(played.atTheEnd);
      if (played.hung) expect(mayHang(scenario)).toBe(true);

      // The record is the fold of the trail, and it is what the caller gets.
      const folded = trail.reduce<GateDecision | undefined>(
        (outer, inner) => (outer === undefined ? inner : decisiveRecord(inner, outer)),
        undefined,
      );
      expect(decision).toEqual(folded);
      if (ending.rejected === undefined) {
        expect(ending.gate ?? undefined).toEqual(decision);
        expect(ending.trail).toEqual(trail);
      }

      // The outcome says what the ending is.
      if (outcome === "cancelled") expect(ending).toEqual({ rejected: "run_cancelled" });
      else if (outcome === "stopped") expect(ending).toEqual({ rejected: "run_stopped" });
      else {
        expect(ending.rejected).toBeUndefined();
        const denied = decision !== undefined && precedenceTier(decision.verdict) === 2;
        expect(outcome).toBe(denied ? "denied" : ending.isError === true ? "failed" : "completed");
      }
      if (outcome === "completed") expect(ending.output).toBe("deployed");

      // Nothing is left.
      expect(getEventListeners(played.signal, "abort")).toEqual([]);
      const gaveUp = scenario.layers.some(({ says }) => says === "giving-up");
      if (!gaveUp) expect(played.clock.timerCount).toBe(0);
      expect(rejections).toEqual([]);
    }),
    { numRuns: 800 },
  );
}, 60_000);
