import type { PendingAsk } from "@x/permission-core";
import { type RedisProcess, TcpProxy } from "@x/redis-server";
import type { Redis } from "ioredis";
import { expect, onTestFinished } from "vitest";
import type { TellingResolver } from "../../../src/tells-parked.js";
import { outcomeOf, pendingAsk, wait } from "../../support/asks.js";
import { type ChannelOptions, channelOn, client, until } from "./channels.js";

export const call = (id: string, fields: Partial<PendingAsk> = {}) =>
  pendingAsk(id, { call_id: "one call", args_digest: "87005d148c61a85e", ...fields });
export const FIRST = call("first");
export const YES = { resolution: "Approve", decided_by: "ana" } as const;
export const ONE = { answerId: "one" };
const LEASE_MS = 300;
export const SHARED = { leaseMs: LEASE_MS, prefix: "renewed" };

/** A first worker, whose way to Redis can be cut, and all others, whose way cannot. */
export async function firstWorker(
  server: RedisProcess,
  own: ChannelOptions = {},
  shared: ChannelOptions = {},
) {
  const channel = channelOn(server, { ...SHARED, ...shared });
  const way = { host: server.host, port: server.port };
  const proxy = await TcpProxy.start(way);
  onTestFinished(() => proxy.close());
  const redis = client(proxy);
  const worker = channel.resolver({ redis, ...own });
  const [approver, admin] = [channel.approver(), client(server)];
  // What it puts is heard of at once: where that took a lease, it would be asked anew.
  await (own.redis ?? redis).ping();
  // An approver is there from its first call.
  await approver.list();
  const parked: string[] = [];
  const waitFor = (ask: PendingAsk, by: Pick<TellingResolver, "resolve"> = worker) => {
    const waiting = wait();
    const onParked = ({ id }: { id: string }) => void parked.push(id);
    const answer = outcomeOf(by.resolve(ask, { ...waiting.context, onParked }));
    return { ...waiting, answer };
  };
  return {
    channel,
    admin,
    redis,
    worker,
    approver,
    /** each id of which it was told */
    parked,
    /** the id under which it is asked last */
    idNow: () => parked.at(-1) ?? "",
    waitFor,
    /** It puts its ask, and is heard of no more. */
    async cut(ask = FIRST, by?: Pick<TellingResolver, "resolve">) {
      const first = waitFor(ask, by);
      await until(async () => (await approver.list()).length === 1, "it is listed");
      await until(() => parked.length === 1, "it knows");
      // A replica may be having it written at the moment.
      const isSaved = () =>
        admin.save().then(
          () => true,
          () => false,
        );
      await until(isSaved, "it is on disk");
      proxy.partition();
      return first;
    },
    /** Redis comes back as it was when the worker was last heard of. */
    async restart() {
      await server.kill();
      await server.start();
    },
    partition: () => proxy.partition(),
    restore: (port = server.port) => {
      way.port = port;
      proxy.restore();
    },
  };
}

export type First = Awaited<ReturnType<typeof firstWorker>>;

/** Another worker goes on with the call. Gives what runs it. */
export async function takeElsewhere({ channel, approver, admin }: First, ask = call("second")) {
  const second = channel.resolver();
  const answer = outcomeOf(second.resolve(ask, wait().context));
  const held = await admin.hget("{renewed}:ask:first", "wait");
  await until(async () => (await admin.hget("{renewed}:ask:first", "wait")) !== held, "it took the ask over");
  return {
    async take() {
      expect(await approver.answer(FIRST, YES, ONE)).toBe("delivered");
      expect(await answer).toEqual({ value: { ...YES, ask_id: "first" } });
    },
    settle: () => second.settled(ask, "completed"),
  };
}

/** Another worker goes on with the call, and runs it. */
export async function runElsewhere(here: First, ask = call("second")): Promise<void> {
  const { take, settle } = await takeElsewhere(here, ask);
  await take();
  await settle();
}

/** Its lease runs out, by every clock. */
export const leaseEnds = (leaseMs = LEASE_MS) => new Promise((resolve) => setTimeout(resolve, leaseMs + 50));

/** The call is asked about once more, under an id that is new, and that answer counts alone. */
export async function expectAskedAnew(here: First, { answer }: { answer: Promise<unknown> }, times = 1) {
  const { approver, parked, worker } = here;
  await until(() => parked.length > times, "it is asked anew");
  const id = here.idNow();
  expect(new Set(parked).size).toBe(parked.length);
  await until(async () => (await approver.list()).some((ask) => ask.id === id), "it is listed");
  expect(await approver.list()).toEqual([{ ...FIRST, id }]);
  expect(await approver.answer({ ...FIRST, id }, { resolution: "Deny", reason: "it ran" })).toBe("delivered");
  expect(await answer).toEqual({ value: { resolution: "Deny", reason: "it ran", ask_id: id } });
  await worker.settled(FIRST, "completed");
  return id;
}

/** What is left tells late answers how the asks ended, for a while. */
export async function expectNothingLeft(redis: Redis): Promise<void> {
  const left = async () => {
    const asks = await redis.keys("{renewed}:ask:*");
    const states = await Promise.all(asks.map((key) => redis.hget(key, "state")));
    const lives = await Promise.all(asks.map((key) => redis.pttl(key)));
    return {
      listed: await redis.zcard("{renewed}:index"),
      calls: await redis.hlen("{renewed}:calls"),
      claims: await redis.zcard("{renewed}:claims"),
      answers: await redis.keys("{renewed}:answer:*"),
      isEnded: states.every((state) => state === "ended") && lives.every((ms) => ms > 0),
    };
  };
  const nothing = { listed: 0, calls: 0, claims: 0, answers: [], isEnded: true };
  await expect.poll(left, { timeout: 15_000 }).toEqual(nothing);
}

/** A client whose replies are held back while the test says so, those to what is already sent included. */
export async function heldBack(server: { port: number }) {
  const redis = client(server);
  const gate = { isShut: false, open: () => {} };
  let opened = Promise.resolve();
  for (const name of ["eval", "evalsha"] as const) {
    const run = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    const held = async (...args: unknown[]) => {
      const reply = await run(...args);
      if (gate.isShut) await opened;
      return reply;
    };
    Object.assign(redis, { [name]: held });
  }
  const shut = () => {
    gate.isShut = true;
    opened = new Promise((resolve) => {
      gate.open = () => {
        gate.isShut = false;
        resolve();
      };
    });
  };
  return { redis, gate, shut };
}
