import type { RedisApprover } from "@x/ask-channel/redis";
import type { PendingAsk } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { expectNoProcessLeft } from "./support/processes.js";
import { listed, names, oneListed, type Stage, stage, tally } from "./support/stage.js";
import { pause, until } from "./support/until.js";
import type { Worker } from "./support/worker.js";

expectNoProcessLeft();

/** Long enough for all that comes before it, on a machine that is busy. */
const DEADLINE_MS = 10_000;

/** Longer than any outage here: so asks keep their ids. */
const LONG_LEASE = { leaseMs: 60_000 };

interface Waiting {
  stage: Stage;
  workers: Worker[];
  approver: RedisApprover;
  asks: PendingAsk[];
}

/** 200 calls of two workers, all of which wait for their answers. */
async function twoHundredWaits(
  options: Parameters<Stage["worker"]>[0],
  askTimeoutMs: number,
): Promise<Waiting> {
  const here = await stage();
  const workers = await Promise.all([here.worker(options), here.worker(options)]);
  const approver = here.approver({ timeoutMs: 1_000 });
  for (const [index, worker] of workers.entries()) worker.call(names(`w${index}`, 100), askTimeoutMs);
  return { stage: here, workers, approver, asks: await listed(approver, 200) };
}

function waitingOf(workers: readonly Worker[]): number {
  return workers.reduce((sum, worker) => sum + worker.waiting, 0);
}

/** SIGKILL, and a start with nothing. The asks that waited at that moment are given as a number. */
async function killAndRestart({ stage: { server }, workers }: Waiting): Promise<number> {
  await server.kill();
  const atFault = waitingOf(workers);
  await server.start();
  return atFault;
}

describe("Redis that is killed while 200 asks wait, and comes back empty", () => {
  it("is given all 200 again under their ids: 120 answers end theirs, the deadline ends 80, and 80 approvals run", async () => {
    const waiting = await twoHundredWaits({ channel: LONG_LEASE }, DEADLINE_MS);
    const { stage: here, workers, approver, asks } = waiting;
    expect(await killAndRestart(waiting)).toBe(200);
    const again = await listed(approver, 200);
    expect(new Set(again.map(({ id }) => id))).toEqual(new Set(asks.map(({ id }) => id)));
    expect([waitingOf(workers), here.runs()]).toEqual([200, []]);

    const statuses = await Promise.all([
      ...again.slice(0, 80).map((ask) => approver.answer(ask, "Approve")),
      ...again.slice(80, 120).map((ask) => approver.answer(ask, "Deny")),
    ]);
    expect(tally(statuses)).toEqual({ delivered: 120 });
    const endings = (await Promise.all(workers.map((worker) => worker.allEnded()))).flat();
    expect(tally(endings.map(({ verdict }) => verdict))).toEqual({
      ask_allowed: 80,
      ask_denied: 40,
      ask_expired: 80,
    });
    expect(new Set(endings.map(({ callId }) => callId)).size).toBe(200);
    const approved = again.slice(0, 80).map(({ call_id }) => call_id);
    expect(here.runs().sort()).toEqual(approved.sort());
    expect(await approver.list()).toEqual([]);
    await until(async () => (await approver.openClaims()).length === 0, "no claim is open");
    for (const worker of workers) await worker.stop();
  }, 60_000);

  it("leaves all 200 waiting and shows them to nobody, where workers do not store them again", async () => {
    const options = { channel: LONG_LEASE, without: "storingAgain" } as const;
    const waiting = await twoHundredWaits(options, 0);
    expect(await killAndRestart(waiting)).toBe(200);
    // In this time the workers above have stored theirs again many times over.
    await pause(3_000);
    expect(await waiting.approver.list()).toEqual([]);
    expect([waitingOf(waiting.workers), waiting.stage.runs()]).toEqual([200, []]);
  }, 60_000);

  it("runs all 200 that nobody approved, where silence of Redis counts as a yes", async () => {
    const waiting = await twoHundredWaits({ seam: "open" }, 0);
    await waiting.stage.server.kill();
    expect(waitingOf(waiting.workers)).toBe(200);
    await until(() => waitingOf(waiting.workers) === 0, "all have ended");
    expect(waiting.stage.runs()).toHaveLength(200);
  }, 60_000);
});

describe("an answer that was acknowledged, and that Redis lost before its worker read it", () => {
  /** One ask, approved while its worker sleeps; then Redis forgets both, and the worker wakes. */
  async function loseAnAnswer(options: Parameters<Stage["worker"]>[0]) {
    const here = await stage();
    const worker = await here.worker(options);
    const approver = here.approver();
    worker.call(["deploy"]);
    const ask = await oneListed(approver);
    await here.listening(1);
    const redis = here.client();
    if (options?.seam === "trusting")
      await until(async () => Number(await redis.pubsub("NUMPAT")) === 1, "its mistake listens");
    await worker.pause();
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    // Redis writes what it has to say before it reads more: now the message that the answer is there has left it.
    await redis.ping();
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
    await here.server.kill();
    await here.server.start();
    worker.resume();
    return { here, worker, approver, ask };
  }

  it("is asked again under its id and does not run; what is answered then counts", async () => {
    const { here, worker, approver, ask } = await loseAnAnswer({ channel: LONG_LEASE });
    // Lost: the one approval. The exception to "nothing lost", and it is on the side of asking.
    expect(await oneListed(approver)).toMatchObject({ id: ask.id });
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
    expect(await approver.answer(ask, "Deny")).toBe("delivered");
    expect(await worker.ending("deploy")).toMatchObject({ verdict: "ask_denied" });
    expect(here.runs()).toEqual([]);
    await worker.stop();
  }, 60_000);

  it("runs on the message alone, where workers take that for the answer", async () => {
    const { here, worker, approver } = await loseAnAnswer({ seam: "trusting" });
    expect(await worker.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect([here.runs(), await approver.list()]).toEqual([["deploy"], []]);
  }, 60_000);
});
