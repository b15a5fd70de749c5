import { describe, expect, it } from "vitest";
import type { ApproverOptions, Ending, Given } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { names, stage, tally } from "./support/stage.js";
import { pause, until } from "./support/until.js";

expectNoProcessLeft();

const APPROVERS = ["Ann", "Ben", "Cem", "Dot"];

/** Parking is not to be given up on a machine that is busy: a refused ask is no race. */
const PATIENT = { channel: { timeoutMs: 30_000 } };

interface Raced {
  /** calls that had not ended when the first approver was started */
  atStart: number;
  endings: Ending[];
  given: Given[];
  runs: string[];
  openClaims: number;
}

/**
 * So many workers make so many calls each, all at once; then four processes answer what they are shown, at random.
 * `sleepMs`: so long the workers are stopped meanwhile, and take no answer.
 */
async function race(
  workers: number,
  callsEach: number,
  options: Partial<ApproverOptions> = {},
  sleepMs = 0,
): Promise<Raced> {
  const here = await stage();
  const asking = await Promise.all(Array.from({ length: workers }, () => here.worker(PATIENT)));
  const watching = here.approver();
  for (const [index, worker] of asking.entries()) worker.call(names(`w${index}`, callsEach));
  const total = workers * callsEach;
  await until(async () => (await watching.list()).length === total, "all asks wait");
  const atStart = asking.reduce((sum, worker) => sum + worker.waiting, 0);
  if (sleepMs > 0) await Promise.all(asking.map((worker) => worker.pause()));
  const approvers = await Promise.all(
    APPROVERS.map((name, seed) => here.approverProcess({ name, seed, ...options })),
  );
  await pause(sleepMs);
  for (const worker of asking) worker.resume();
  await Promise.all(asking.map((worker) => worker.allEnded(75_000)));
  const given = (await Promise.all(approvers.map((approver) => approver.stop()))).flat();
  for (const worker of asking) await worker.stop();
  const openClaims = (await watching.openClaims()).length;
  return { atStart, endings: asking.flatMap(({ endings }) => endings), given, runs: here.runs(), openClaims };
}

/** The answers to each ask of which the approver read that they were delivered; repeats of one are one. */
function winners(given: readonly Given[]): Map<string, string[]> {
  const delivered = new Map<string, Set<string>>();
  for (const { askId, answerId, resolution, status } of given) {
    const ofAsk = delivered.get(askId) ?? new Set();
    delivered.set(askId, ofAsk);
    if (status === "delivered") ofAsk.add(`${answerId} ${resolution}`);
  }
  return new Map([...delivered].map(([askId, answers]) => [askId, [...answers]]));
}

/** What an ending must be, by the one answer that was delivered. */
function verdictOf(winner: string | undefined): { verdict: string; decidedBy: string | undefined } {
  return {
    verdict: winner?.endsWith(" Approve") ? "ask_allowed" : "ask_denied",
    decidedBy: winner?.split("/")[0],
  };
}

describe("eight workers with 250 asks each, and four approvers that race", () => {
  it("come to 2,000 endings, each by the one answer that was delivered; every other reads already_answered", async () => {
    const { atStart, endings, given, runs, openClaims } = await race(8, 250);
    expect([atStart, endings.length, openClaims]).toEqual([2_000, 2_000, 0]);
    expect(new Set(endings.map(({ callId }) => callId)).size).toBe(2_000);

    const winnersOf = winners(given);
    expect(winnersOf.size).toBe(2_000);
    expect([...winnersOf].filter(([, answers]) => answers.length !== 1)).toEqual([]);
    const wrong = endings.filter(({ askId, verdict, decidedBy }) => {
      const expected = verdictOf(winnersOf.get(askId ?? "")?.[0]);
      return verdict !== expected.verdict || decidedBy !== expected.decidedBy;
    });
    expect(wrong).toEqual([]);
    const approved = endings.filter(({ verdict }) => verdict === "ask_allowed").map(({ callId }) => callId);
    expect(runs.toSorted()).toEqual(approved.toSorted());

    // It was a race: all four won some and lost some, the other way round too, twice and late.
    const statuses = tally(given.map(({ status, code }) => status ?? code));
    // What Redis was too slow to tell was given again with the same id.
    const { delivered, already_answered, storage, ...others } = statuses;
    expect(others).toEqual({});
    const decided = tally(endings.map(({ decidedBy }) => decidedBy));
    expect(Object.keys(decided).sort()).toEqual(APPROVERS);
    expect(already_answered).toBeGreaterThan(2_000);
    expect(delivered).toBeGreaterThan(2_000);
    const contested = [...winnersOf.keys()].filter((askId) => {
      const sides = given.filter((each) => each.askId === askId).map(({ resolution }) => resolution);
      return new Set(sides).size === 2;
    });
    expect(contested.length).toBeGreaterThan(500);
  }, 120_000);

  it("have several answers delivered to one ask, where an ask takes more than one", async () => {
    const { endings, given } = await race(2, 100, { without: "singleUse" }, 3_000);
    expect(endings).toHaveLength(200);
    const several = [...winners(given).values()].filter((answers) => answers.length > 1);
    expect(several.length).toBeGreaterThan(0);
  }, 60_000);
});
