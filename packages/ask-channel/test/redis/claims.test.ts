import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

const server = await serverOfFile();

describe("a claim", () => {
  it("is open from the taking of the answer until the call has ended", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const before = Date.now();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    expect(await approver.openClaims()).toEqual([]);
    await approver.answer(A, YES);
    await answer;
    const [claim, ...others] = await approver.openClaims();
    expect(claim).toMatchObject({ ask: A, answer: YES });
    expect(claim?.claimed_at_ms).toBeGreaterThanOrEqual(before - 1);
    expect(others).toEqual([]);
    await resolver.settled(A, "completed");
    expect(await approver.openClaims()).toEqual([]);
    expect(await approver.answer(A, YES)).toBe("already_answered");
  });

  it("is closed by nobody but the worker that took the answer", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await approver.answer(A, YES);
    await answer;
    await channel.resolver().settled(A, "completed");
    expect(await approver.openClaims()).toHaveLength(1);
  });

  it("does not stay open for a call that was cancelled while its answer was taken", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    for (let round = 0; round < 20; round += 1) {
      const ask = pendingAsk(`ask-${round}`);
      const waiting = wait();
      const outcome = outcomeOf(resolver.resolve(ask, waiting.context));
      await until(async () => (await approver.list()).length === 1, "it is listed");
      const status = approver.answer(ask, YES);
      if (round % 2 === 0) await status;
      waiting.cancel();
      await status;
      await outcome;
      const isCancelled = "code" in (await outcome);
      if (!isCancelled) await resolver.settled(ask, "completed");
      await until(async () => (await approver.openClaims()).length === 0, "no claim is open");
    }
  });
});
