import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, ownServer, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

describe("a message that never comes", () => {
  it("delays an answer by a third of a lease at most, and loses nothing", async () => {
    const server = await ownServer();
    await client(server).call("ACL", "SETUSER", "deaf", "on", "nopass", "~*", "&*", "+@all", "-subscribe");
    const channel = channelOn(server, { leaseMs: 1_500 });
    const resolver = channel.resolver({ redis: client(server, { username: "deaf", password: "any" }) });
    const approver = channel.approver();
    const answer = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is parked");
    expect(await approver.answer(A, YES)).toBe("delivered");
    expect(await answer).toEqual(YES);
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("listens is lost") }]);
  });

  it("loses no answer that was taken in time, though the deadline comes", async () => {
    const server = await ownServer();
    await client(server).call("ACL", "SETUSER", "deaf", "on", "nopass", "~*", "&*", "+@all", "-subscribe");
    const channel = channelOn(server);
    const resolver = channel.resolver({ redis: client(server, { username: "deaf", password: "any" }) });
    const approver = channel.approver();
    const [soon, late] = ["soon", "late"].map((id) => pendingAsk(id, { expires_at_ms: Date.now() + 1_500 }));
    if (soon === undefined || late === undefined) throw new Error("two asks were made");
    const outcomes = [soon, late].map((ask) => outcomeOf(resolver.resolve(ask, wait().context)));
    await until(async () => (await approver.list()).length === 2, "they are parked");
    expect(await approver.answer(soon, YES)).toBe("delivered");
    expect(await Promise.all(outcomes)).toEqual([{ value: YES }, { code: "ask_expired" }]);
    expect(await approver.openClaims()).toMatchObject([{ ask: { id: "soon" } }]);
    await until(async () => (await approver.answer(late, YES)) === "expired", "its end is told");
  });
});

describe("the end of a call that Redis could not be told", () => {
  it("is told later, and ends no later ask of the same id", async () => {
    const server = await ownServer();
    const channel = channelOn(server, { timeoutMs: 2_000, leaseMs: 1_500 });
    const redis = client(server);
    const resolver = channel.resolver({ redis });
    const approver = channel.approver();
    const first = resolver.resolve(A, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is parked");
    await approver.answer(A, YES);
    await first;
    await server.kill();
    await resolver.settled(A, "completed");
    await server.start();
    await until(() => redis.status === "ready", "the client is connected again");
    const again = outcomeOf(resolver.resolve(A, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await until(
      async () => (await approver.answer(A, YES).catch(() => "failed")) === "delivered",
      "it waits",
    );
    expect(await again).toEqual({ value: YES });
  });
});
