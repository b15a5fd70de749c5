import { ManualClock } from "@x/permission-core/testing";
import { TcpProxy } from "@x/redis-server";
import { expect, it } from "vitest";
import { withDeadline } from "../../src/index.js";
import { failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

// Redis that is out of reach is told of as that, however short the time is that an ask has.

const A = pendingAsk("A");
const TOO_LATE = {
  code: "ask_unavailable",
  message: "the ask cannot be put: Redis did not store it in time",
};

const server = await serverOfFile();

/** A channel whose asking side can be cut off. */
async function cutOff(options: Parameters<typeof channelOn>[1] = {}) {
  const proxy = await TcpProxy.start(server);
  const channel = channelOn(server, { leaseMs: 900, ...options });
  const resolver = channel.resolver({ redis: client(proxy) });
  proxy.partition();
  return { resolver, approver: channel.approver(), proxy };
}

it("makes an ask unavailable that was not stored in time, rather than expired", async () => {
  const clock = new ManualClock();
  const { resolver, proxy } = await cutOff({ clock, timeoutMs: 60_000 });
  const expires_at_ms = clock.now() + 60_000;
  const failure = failureOf(resolver.resolve({ ...A, expires_at_ms }, wait().context));
  clock.advance(54_000);
  expect(await failure).toMatchObject(TOO_LATE);
  await proxy.close();
});

it("does so before a composition's deadline passes", async () => {
  const { resolver, proxy } = await cutOff();
  const failure = failureOf(withDeadline(resolver, 400).resolve(A, wait().context));
  expect(await failure).toMatchObject(TOO_LATE);
  await proxy.close();
});

it("takes an ask down again that is stored later all the same", async () => {
  const { resolver, approver, proxy } = await cutOff();
  const ask = { ...A, expires_at_ms: Date.now() + 1_000 };
  expect(await outcomeOf(resolver.resolve(ask, wait().context))).toEqual({ code: "ask_unavailable" });
  proxy.restore();
  await until(async () => (await approver.answer(ask, "Approve")) === "cancelled", "it was taken down");
  expect(await approver.list()).toEqual([]);
  await proxy.close();
});

it("leaves an ask that was stored to its deadline", async () => {
  const channel = channelOn(server);
  const resolver = channel.resolver();
  const ask = { ...A, expires_at_ms: Date.now() + 400 };
  const outcome = outcomeOf(resolver.resolve(ask, wait().context));
  expect(await outcome).toEqual({ code: "ask_expired" });
});

it("waits for Redis on behalf of whoever joins with a later deadline", async () => {
  const { resolver, approver, proxy } = await cutOff();
  const soon = { ...A, expires_at_ms: Date.now() + 400 };
  const outcomes = [
    outcomeOf(resolver.resolve(soon, wait().context)),
    outcomeOf(resolver.resolve({ ...A, expires_at_ms: Date.now() + 60_000 }, wait().context)),
  ];
  expect(await outcomes[0]).toEqual({ code: "ask_expired" });
  proxy.restore();
  await until(async () => (await approver.list()).length === 1, "it is stored");
  expect(await approver.answer(A, "Approve")).toBe("delivered");
  expect(await outcomes[1]).toEqual({ value: { resolution: "Approve" } });
  await proxy.close();
});

it.each([Number.NaN, 1e300, 0.5, "1796050959498"])(
  "refuses an ask with the deadline %s at once",
  async (at) => {
    const resolver = channelOn(server).resolver();
    const ask = { ...A, expires_at_ms: at as number };
    expect(await outcomeOf(resolver.resolve(ask, wait().context))).toEqual({ code: "bad_record" });
  },
);
