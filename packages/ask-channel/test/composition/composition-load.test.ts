import { execFile } from "node:child_process";
import { getEventListeners } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { PendingAsk } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, escalate, firstAnswer, withDeadline } from "../../src/index.js";
import { EMPTY, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";

const MEMORY = fileURLToPath(new URL("../fixtures/parked-memory.mjs", import.meta.url));
/** Generous, for machines that do much else at the same time. */
const TIMEOUT_MS = 120_000;
const many: PendingAsk[] = Array.from({ length: 10_000 }, (_, index) => pendingAsk(`ask-${index}`));

/** Three channels, two timers and three levels for each ask. */
function composed() {
  const clock = new ManualClock();
  const channels = [
    ApprovalChannel.pair(16, SILENT),
    ApprovalChannel.pair(16, SILENT),
    ApprovalChannel.pair(16, SILENT),
  ] as const;
  const [one, two, three] = channels.map(({ resolver }) => resolver) as [never, never, never];
  const steps = [{ to: firstAnswer([one, two]) }, { to: three }, { to: async () => true, afterMs: 60_000 }];
  const composition = withDeadline(escalate(steps, { clock }), 120_000, { clock });
  return { clock, channels, composition };
}

describe("ten thousand asks at once through a composition", { timeout: TIMEOUT_MS }, () => {
  it("all get the answer of the first channel, the others read already_answered, and nothing is left", async () => {
    const { clock, channels, composition } = composed();
    const { context, signal } = wait();
    const answers = many.map((ask) => composition.resolve(ask, context));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    expect(clock.timerCount).toBe(20_000);
    const statuses = many.map((ask, index) =>
      channels.map((_, turn) =>
        channels[(index + turn) % 3]?.approver.answer(ask, { resolution: "Deny", decided_by: `${index}` }),
      ),
    );
    const [read] = await Promise.all(statuses.map((asked) => Promise.all(asked)));
    expect(read).toEqual(["delivered", "already_answered", "already_answered"]);
    const all = await Promise.all(statuses.flat());
    expect(all.filter((status) => status === "delivered")).toHaveLength(10_000);
    expect(await Promise.all(answers)).toEqual(
      many.map((_, index) => ({ resolution: "Deny", decided_by: `${index}` })),
    );
    expect(channels.map(({ resolver }) => resolver.load())).toEqual([EMPTY, EMPTY, EMPTY]);
    expect(clock.timerCount).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it.each(["cancel", "expire"] as const)("all end with one %s, and leave nothing", async (how) => {
    const { clock, channels, composition } = composed();
    const waiting = wait();
    const outcomes = many.map((ask) => outcomeOf(composition.resolve(ask, waiting.context)));
    waiting[how]();
    expect(channels.map(({ resolver }) => resolver.load())).toEqual([EMPTY, EMPTY, EMPTY]);
    expect(clock.timerCount).toBe(0);
    expect(getEventListeners(waiting.signal, "abort")).toHaveLength(0);
    const codes = new Set((await Promise.all(outcomes)).map((outcome) => JSON.stringify(outcome)));
    expect(codes).toEqual(new Set([`{"code":"ask_${how === "cancel" ? "cancelled" : "expired"}"}`]));
  });

  it("hold what the README says while they wait, and nothing afterwards", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", MEMORY]);
    const { channel, composition, calledOff, listeners, warnings } = JSON.parse(stdout);
    console.log(
      `memory of a waiting ask: ${channel.waitingBytes} B; composed twice: ${composition.waitingBytes} B`,
    );
    expect({ listeners, warnings }).toEqual({ listeners: 0, warnings: [] });
    expect([channel.approved, composition.approved]).toEqual([10_000, 10_000]);
    expect(channel.waitingBytes).toBeLessThan(1_500);
    expect(composition.waitingBytes).toBeLessThan(12_000);
    expect(Math.max(channel.leftBytes, composition.leftBytes)).toBeLessThan(100);
    // The member's promise and its signal, but nothing of the composition.
    expect(calledOff.leftBytes).toBeLessThan(2_500);
  });
});
