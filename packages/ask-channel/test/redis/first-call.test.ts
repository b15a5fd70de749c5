import { describe, expect, it, onTestFinished } from "vitest";
import type { RedisApprover } from "../../src/redis/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile } from "./support/channels.js";

const A = pendingAsk("A");
const CALLS: Record<string, (approver: RedisApprover) => Promise<unknown>> = {
  list: (approver) => approver.list(),
  answer: (approver) => approver.answer(A, "Approve"),
  resolve: (approver) => approver.resolve("A", "Approve"),
  openClaims: (approver) => approver.openClaims(),
};

const server = await serverOfFile();

describe("the first call of an approver", () => {
  it("fails within timeoutMs where Redis hangs, whichever it is, and so does every later one", async () => {
    const channel = channelOn(server, { timeoutMs: 800 });
    const calls = Object.values(CALLS);
    const approvers = await Promise.all(
      calls.map(async () => {
        const redis = client(server);
        await redis.ping();
        return channel.approver({ redis });
      }),
    );
    await server.pause();
    onTestFinished(() => server.resume());
    for (let round = 0; round < 2; round += 1) {
      const start = performance.now();
      const outcomes = await Promise.all(
        calls.map((call, at) => outcomeOf(call(approvers[at] as RedisApprover))),
      );
      expect(performance.now() - start).toBeLessThan(2_300);
      expect(outcomes).toEqual(calls.map(() => ({ code: "storage" })));
    }
  });

  it.each(Object.entries(CALLS))("has told that it is there when it fulfils: %s", async (_name, call) => {
    const channel = channelOn(server, { requireApprover: true });
    const [resolver, approver] = [channel.resolver(), channel.approver()];
    await client(server).script("FLUSH");
    await call(approver);
    const answer = resolver.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
  });

  it.each(Object.entries(CALLS))("is refused after close(), and tells nothing: %s", async (_name, call) => {
    const channel = channelOn(server);
    const approver = channel.approver();
    await approver.close();
    expect(await outcomeOf(call(approver))).toEqual({ code: "closed" });
    expect(await client(server).keys(`${channel.base}*`)).toEqual([]);
  });
});
