import { describe, expect, it } from "vitest";
import type { WorkerOptions } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { proxyTo } from "./support/proxied.js";
import { listed, oneListed, stage } from "./support/stage.js";
import { pause, until } from "./support/until.js";
import type { Worker } from "./support/worker.js";

expectNoProcessLeft();

/** So long that asks are not looked after by time: only the connection that comes back can be what helps. */
const LONG_LEASE = { leaseMs: 60_000 };

/** It listens, and has read all that it reads when it begins to: a read that fails would be tried until it works. */
async function hasSettled(here: Awaited<ReturnType<typeof stage>>): Promise<void> {
  await here.listening(1);
  await pause(1_000);
}

/** Each attempt that fails is followed by the announcement of another. */
async function failedAttempts(worker: Worker, count: number): Promise<void> {
  await until(() => worker.reconnections > count, `${count} attempts to connect fail`);
}

describe("a worker whose connection is lost, and cannot be made again three times", () => {
  /** The answer is given while it is away, so that nobody tells it. */
  async function answeredMeanwhile(options: Partial<WorkerOptions> = {}) {
    const here = await stage();
    const proxy = await proxyTo(here);
    const worker = await here.worker({ port: proxy.port, channel: LONG_LEASE, ...options });
    const approver = here.approver();
    worker.call(["deploy"]);
    const ask = await oneListed(approver);
    await hasSettled(here);
    proxy.partition();
    await failedAttempts(worker, 3);
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
    proxy.restore();
    await here.listening(1);
    return { here, worker };
  }

  it("reads the answer that was given meanwhile [CASE-169]", async () => {
    const { here, worker } = await answeredMeanwhile();
    expect(await worker.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect(here.runs()).toEqual(["deploy"]);
    await worker.stop();
  }, 60_000);

  it("leaves it unread, where workers do not look again when they listen again", async () => {
    const { here, worker } = await answeredMeanwhile({ seam: "listens-once" });
    await pause(2_000);
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
  }, 60_000);

  it("is told of the answer that is given after Redis was stopped and started again [CASE-169]", async () => {
    const here = await stage();
    const worker = await here.worker({ channel: LONG_LEASE });
    const approver = here.approver();
    worker.call(["deploy"]);
    const ask = await oneListed(approver);
    await here.listening(1);
    await here.server.kill();
    expect(worker.waiting).toBe(1);
    await failedAttempts(worker, 3);
    await here.server.start();
    expect(await oneListed(approver)).toMatchObject({ id: ask.id });
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect(await worker.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect(here.runs()).toEqual(["deploy"]);
    await worker.stop();
  }, 60_000);
});

describe("Redis that is down while an ask waits and a new one starts", () => {
  /**
   * What a minute of it would show is that connections outlive the client's limits of attempts. So here the limits are low: the
   * host's client gives a command up after two attempts, and the outage lasts for eight attempts of the connection that
   * listens, over two seconds.
   */
  async function outage(options: Partial<WorkerOptions> = {}, attempts = 8) {
    const here = await stage();
    const channel = { ...LONG_LEASE, timeoutMs: 1_500 };
    const worker = await here.worker({ channel, client: { maxRetriesPerRequest: 2 }, ...options });
    const approver = here.approver({ timeoutMs: 10_000 });
    worker.call(["waits"]);
    const ask = await oneListed(approver);
    await hasSettled(here);
    await here.server.kill();
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
    worker.call(["new"]);
    const ending = await worker.ending("new");
    await failedAttempts(worker, attempts);
    expect(worker.waiting).toBe(1);
    const runsWhileDown = here.runs();
    await here.server.start();
    return { here, worker, approver, ask, ending, runsWhileDown };
  }

  it("refuses the new one in time and keeps the other; both work again without a restart [CASE-178]", async () => {
    const { here, worker, approver, ask, ending, runsWhileDown } = await outage();
    expect(ending).toMatchObject({ verdict: "ask_denied", reason: "approval channel unavailable" });
    expect(ending.tookMs).toBeLessThan(8_000);
    expect(runsWhileDown).toEqual([]);
    expect(await oneListed(approver)).toMatchObject({ id: ask.id });
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect(await worker.ending("waits")).toMatchObject({ verdict: "ask_allowed" });
    worker.call(["new", "newer"]);
    for (const each of await listed(approver, 2)) await approver.answer(each, "Approve");
    await worker.allEnded();
    expect(here.runs().sort()).toEqual(["new", "newer", "waits"]);
    await worker.stop();
  }, 60_000);

  it("loses sight of the one that waits, where the connection that listens gives up as well", async () => {
    const { here, worker, approver, ask } = await outage({ seam: "gives-up" }, 2);
    await pause(1_000);
    // Where it was stored anew since something else had failed, it can be answered; but nobody hears of that.
    expect(await approver.answer(ask, "Approve")).toMatch(/^(?:unknown|delivered)$/);
    await pause(2_000);
    expect([worker.waiting, here.runs()]).toEqual([1, []]);
  }, 60_000);

  it("runs the new one that nobody approved, where a failure counts as a yes", async () => {
    const { runsWhileDown } = await outage({ seam: "yielding" });
    expect(runsWhileDown).toEqual(["new"]);
  }, 60_000);
});
