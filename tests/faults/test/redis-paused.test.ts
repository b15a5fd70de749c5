import type { RedisApprover } from "@x/ask-channel/redis";
import { isPermissionGateError, type PendingAsk } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { expectNoProcessLeft } from "./support/processes.js";
import { listed, names, type Stage, stage, tally } from "./support/stage.js";
import { pause, until } from "./support/until.js";
import type { Worker } from "./support/worker.js";

expectNoProcessLeft();

const STOPPED_MS = 5_000;

/** The status that the approver read, or the code by which it was rejected. */
async function statusOf(
  approver: RedisApprover,
  ask: PendingAsk,
  resolution: "Approve" | "Deny",
  answerId: string,
): Promise<string> {
  try {
    return await approver.answer(ask, resolution, { answerId });
  } catch (error) {
    return isPermissionGateError(error) ? error.code : String(error);
  }
}

function waitingOf(workers: readonly Worker[]): number {
  return workers.reduce((sum, worker) => sum + worker.waiting, 0);
}

async function twoHundredWaits(options: Parameters<Stage["worker"]>[0] = {}) {
  const here = await stage();
  const workers = await Promise.all([here.worker(options), here.worker(options)]);
  const patient = here.approver({ timeoutMs: 20_000 });
  for (const [index, worker] of workers.entries()) worker.call(names(`w${index}`, 100));
  return { here, workers, patient, asks: await listed(patient, 200) };
}

describe("Redis that is stopped for 5 s while 200 asks wait", () => {
  it("settles all 200 once when it goes on: 100 answers sent meanwhile, 100 given up and given again", async () => {
    const { here, workers, patient, asks } = await twoHundredWaits();
    const hasty = here.approver({ timeoutMs: 1_500 });
    const second = here.approver({ timeoutMs: 20_000 });
    await Promise.all([hasty.list(), second.list()]);
    await here.server.pause();
    expect(waitingOf(workers)).toBe(200);
    const goesOnAt = performance.now() + STOPPED_MS;

    const early = asks.slice(0, 100).map((ask) => statusOf(patient, ask, "Approve", `early ${ask.id}`));
    const given = asks.slice(100).map((ask) => statusOf(hasty, ask, "Approve", `hasty ${ask.id}`));
    // Redis did not answer it, so it does not know; and its answers must not run later, behind its back.
    expect(tally(await Promise.all(given))).toEqual({ storage: 100 });
    await pause(goesOnAt - performance.now());
    expect([waitingOf(workers), here.runs()]).toEqual([200, []]);
    here.server.resume();

    expect(tally(await Promise.all(early))).toEqual({ delivered: 100 });
    await until(() => waitingOf(workers) === 100, "the first half has settled");
    expect(await listed(patient, 100)).toHaveLength(100);
    const again = asks.slice(100).map((ask) => statusOf(hasty, ask, "Approve", `hasty ${ask.id}`));
    expect(tally(await Promise.all(again))).toEqual({ delivered: 100 });
    const late = asks.map((ask) => statusOf(second, ask, "Deny", `late ${ask.id}`));
    expect(tally(await Promise.all(late))).toEqual({ already_answered: 200 });

    const endings = (await Promise.all(workers.map((worker) => worker.allEnded()))).flat();
    expect(tally(endings.map(({ verdict }) => verdict))).toEqual({ ask_allowed: 200 });
    expect(here.runs().sort()).toEqual(asks.map(({ call_id }) => call_id).sort());
    for (const worker of workers) await worker.stop();
  }, 60_000);

  it("ends all 200 unanswered, where workers take its silence for the end", async () => {
    const { here, workers, patient, asks } = await twoHundredWaits({ seam: "impatient" });
    await here.server.pause();
    expect(waitingOf(workers)).toBe(200);
    const answers = asks.map((ask) => statusOf(patient, ask, "Approve", ask.id));
    await until(() => waitingOf(workers) === 0, "all have ended");
    here.server.resume();
    const endings = workers.flatMap((worker) => worker.endings);
    expect(tally(endings.map(({ verdict }) => verdict))).toEqual({ ask_denied: 200 });
    await Promise.all(answers);
    expect(here.runs()).toEqual([]);
  }, 60_000);
});

describe("an approver that gave up an answer while Redis was stopped", () => {
  /** Gives up after a while, and changes its mind when Redis goes on. */
  async function changeOfMind(options: Parameters<Stage["approverProcess"]>[0]) {
    const here = await stage();
    const worker = await here.worker();
    const approver = await here.approverProcess({ channel: { timeoutMs: 1_500 }, ...options });
    worker.call(["warm", "deploy"]);
    const [warm, ask] = [await approver.ask("warm"), await approver.ask("deploy")];
    // From here on it knows the server's clock.
    expect(await approver.answer(warm, "Deny")).toBe("delivered");
    await worker.ending("warm");
    await here.server.pause();
    expect(await approver.answer(ask, "Approve")).toBe("rejected: storage");
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
    here.server.resume();
    const status = await approver.answer(ask, "Deny");
    return { here, status, ending: await worker.ending("deploy") };
  }

  it("can still answer the other way round, since the first answer does not run later", async () => {
    const { here, status, ending } = await changeOfMind({});
    expect([status, ending.verdict, here.runs()]).toEqual(["delivered", "ask_denied", []]);
  }, 60_000);

  it("finds that the tool ran, where scripts run however late they come", async () => {
    const { here, status, ending } = await changeOfMind({ without: "until" });
    expect([status, ending.verdict, here.runs()]).toEqual(["already_answered", "ask_allowed", ["deploy"]]);
  }, 60_000);
});
