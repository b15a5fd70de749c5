import { TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const [OLD, ENDED, NEW] = [pendingAsk("old"), pendingAsk("ended"), pendingAsk("new")];

/** It looks by itself every 20 s only, so what it shows before it was told by something else. */
const SELDOM = { presenceMs: 60_000, timeoutMs: 200 };
const SOON_MS = 10_000;

const server = await serverOfFile();

/** An approver whose listening connection comes back long before its client does. */
async function slowlyBack() {
  const proxy = await TcpProxy.start(server);
  onTestFinished(() => proxy.close());
  const channel = channelOn(server);
  const redis = client(proxy, { retryStrategy: () => 2_500 });
  return { proxy, asks: channel.resolver(), approver: channel.approver({ redis, ...SELDOM }) };
}

describe("an approver that cannot read what waits when it begins to listen", () => {
  it("tries again until it can, where that is the first time", async () => {
    const { proxy, asks, approver } = await slowlyBack();
    proxy.partition();
    void outcomeOf(asks.resolve(NEW, wait().context));
    const start = performance.now();
    const reading = approver.nextPending();
    await new Promise((resolve) => setTimeout(resolve, 300));
    proxy.restore();
    expect(await reading).toEqual(NEW);
    expect(performance.now() - start).toBeLessThan(SOON_MS);
  });

  it("tries again until it can, where it comes back: it then knows what waits and nothing else", async () => {
    const { proxy, asks, approver } = await slowlyBack();
    const ending = wait();
    void outcomeOf(asks.resolve(OLD, wait().context));
    void outcomeOf(asks.resolve(ENDED, ending.context));
    const first = [await approver.nextPending(), await approver.nextPending()];
    expect(first.map((ask) => ask?.id).sort()).toEqual(["ended", "old"]);
    proxy.partition();
    ending.cancel();
    void outcomeOf(asks.resolve(NEW, wait().context));
    const start = performance.now();
    const reading = approver.nextPending();
    await new Promise((resolve) => setTimeout(resolve, 300));
    proxy.restore();
    expect(await reading).toEqual(NEW);
    await until(() => approver.load().known === 2, "it knows those two that wait");
    expect(performance.now() - start).toBeLessThan(SOON_MS);
    await approver.close();
  });

  it("does not try any more once it is closed", async () => {
    const { proxy, approver } = await slowlyBack();
    proxy.partition();
    const reading = approver.nextPending();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await approver.close();
    expect(await reading).toBeNull();
    proxy.restore();
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(approver.load()).toEqual({ known: 0, unread: 0, readers: 0 });
  });
});
