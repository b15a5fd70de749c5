import { RedisApprover, RedisAskResolver } from "@x/ask-channel/redis";
import type { PendingAsk } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { freshAsks } from "./fresh-asks.js";
import { showTime } from "./measure.js";
import { heapUsed, showBytes } from "./memory.js";
import type { BenchmarkSection } from "./section.js";

const GOAL_ALONE = 2;
/** A third of them warms up. With 2,000, the engine still compiled what was counted, of the longer path more than of the echo. */
const ROUNDS_ALONE = 6_000;
const AT_ONCE = 200;
const GOAL_AT_ONCE = 2.5;
const WAITING = 10_000;

/** As long as an ask is on its way. */
const ECHOED = "x".repeat(300);

/** What a question to another process costs beside the messages that it takes at least. */
export async function runRedisAskBenchmark(): Promise<BenchmarkSection> {
  const server = await RedisProcess.start();
  const clients: Redis[] = [];
  const connect = () => {
    const redis = new Redis(server.port);
    clients.push(redis);
    return redis;
  };
  try {
    const echo = await startEcho(connect);
    const channel = startChannel(connect);
    const times = {
      ...(await interleave(
        { echo: () => timed(() => echo(ECHOED)), ask: () => channel.timedAsks(1) },
        ROUNDS_ALONE,
      )),
      ...(await interleave(
        {
          echoes: () => timed(() => Promise.all(Array.from({ length: AT_ONCE }, () => echo(ECHOED)))),
          asks: () => channel.timedAsks(AT_ONCE),
        },
        60,
      )),
    };
    await channel.close();
    const many = await measureMany(connect);
    return section(times, many);
  } finally {
    for (const redis of clients) redis.disconnect();
    await server.close();
  }
}

interface Many {
  perSecond: number;
  bytesHere: number;
  bytesInRedis: number;
}

function section(times: Record<"echo" | "ask" | "echoes" | "asks", number>, many: Many): BenchmarkSection {
  const alone = times.ask / times.echo;
  const atOnce = times.asks / times.echoes;
  return {
    title: "Asking over Redis",
    notes: [
      "Median time of a whole question: parked, shown to the approver, answered, taken by the worker; schema checks included, worker and approver in one process on connections of their own. Beside it the messages alone, of the same length: published, heard by a subscriber, published back, heard. What follows once the call may proceed is not counted.",
      `Then ${WAITING.toLocaleString("en")} asks that wait at once: how many are parked, answered and taken in a second, and what one holds while it waits, in the worker and in Redis.`,
    ],
    table: {
      columns: ["", "time", "ratio"],
      rows: [
        ["echo, one", showTime(times.echo), ""],
        ["ask, one", showTime(times.ask), alone.toFixed(2)],
        [`echo, ${AT_ONCE} at once`, showTime(times.echoes), ""],
        [`ask, ${AT_ONCE} at once`, showTime(times.asks), atOnce.toFixed(2)],
        [
          `${WAITING.toLocaleString("en")} waiting, then answered`,
          `${Math.round(many.perSecond).toLocaleString("en")} asks a second`,
          "",
        ],
        ["memory of a waiting ask, worker", showBytes(many.bytesHere), ""],
        ["memory of a waiting ask, Redis", showBytes(many.bytesInRedis), ""],
      ],
    },
    goals: [
      { text: `one ask takes at most ${GOAL_ALONE} times as long as the echo`, met: alone <= GOAL_ALONE },
      {
        text: `${AT_ONCE} asks at once take at most ${GOAL_AT_ONCE} times as long as as many echoes`,
        met: atOnce <= GOAL_AT_ONCE,
      },
    ],
  };
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start);
}

/**
 * Median nanoseconds of each. They take turns, so that a slow moment of the machine falls on all alike; the first third warms
 * up and is not counted.
 */
async function interleave<Name extends string>(
  candidates: Record<Name, () => Promise<number>>,
  rounds: number,
): Promise<Record<Name, number>> {
  const names = Object.keys(candidates) as Name[];
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const time = await candidates[name]();
      if (3 * round >= rounds) samples.get(name)?.push(time);
    }
  }
  const median = (name: Name) => {
    const sorted = (samples.get(name) ?? []).sort((left, right) => left - right);
    return sorted[sorted.length >> 1] ?? Number.NaN;
  };
  return Object.fromEntries(names.map((name) => [name, median(name)])) as Record<Name, number>;
}

/** Gives a function that sends a message to another connection and waits for its echo. */
async function startEcho(connect: () => Redis): Promise<(payload: string) => Promise<string>> {
  const [there, thereListens, here, hereListens] = [connect(), connect(), connect(), connect()];
  const waiting = new Map<string, (payload: string) => void>();
  let count = 0;
  await thereListens.subscribe("there");
  await hereListens.subscribe("here");
  thereListens.on("message", (_channel, message) => void there.publish("here", message));
  hereListens.on("message", (_channel, message) => {
    const at = message.indexOf(" ");
    waiting.get(message.slice(0, at))?.(message.slice(at + 1));
  });
  return (payload) =>
    new Promise((resolve) => {
      count += 1;
      const id = `${count}`;
      waiting.set(id, (given) => {
        waiting.delete(id);
        resolve(given);
      });
      void here.publish("there", `${id} ${payload}`);
    });
}

function startChannel(connect: () => Redis) {
  const resolver = new RedisAskResolver({ redis: connect(), prefix: "round-trip", endingsMs: 1_000 });
  const approver = new RedisApprover({ redis: connect(), prefix: "round-trip" });
  const asks = freshAsks(ofThisRun);
  const context = { signal: new AbortController().signal };
  const answering = answerAll(approver);
  return {
    /** Nanoseconds until as many calls may proceed; that they have ended is told afterwards. */
    async timedAsks(count: number): Promise<number> {
      const put = Array.from({ length: count }, asks);
      const time = await timed(() => Promise.all(put.map((ask) => resolver.resolve(ask, context))));
      await Promise.all(put.map((ask) => resolver.settled(ask, "completed")));
      return time;
    },
    async close() {
      await approver.close();
      await resolver.close();
      await answering;
    },
  };
}

async function answerAll(approver: RedisApprover): Promise<void> {
  for await (const ask of approver) void approver.answer(ask, "Approve");
}

/** A first pass is thrown away, since it also counts what the engine compiles and keeps. */
async function measureMany(connect: () => Redis): Promise<Many> {
  const redis = connect();
  const resolver = new RedisAskResolver({
    redis: connect(),
    prefix: "many",
    timeoutMs: 60_000,
    endingsMs: 1,
  });
  const approver = new RedisApprover({ redis: connect(), prefix: "many", timeoutMs: 60_000 });
  const context = { signal: new AbortController().signal };
  const next = freshAsks(ofThisRun);
  let many: Many = { perSecond: 0, bytesHere: 0, bytesInRedis: 0 };
  for (let pass = 0; pass < 2; pass++) {
    const asks = Array.from({ length: WAITING }, next);
    const [hereBefore, inRedisBefore] = [heapUsed(), await usedByRedis(redis)];
    const start = performance.now();
    const answers = asks.map((ask) => resolver.resolve(ask, context));
    while ((await redis.zcard("{many}:index")) < WAITING)
      await new Promise((resolve) => setImmediate(resolve));
    const parkedMs = performance.now() - start;
    const bytesHere = (heapUsed() - hereBefore) / WAITING;
    const bytesInRedis = ((await usedByRedis(redis)) - inRedisBefore) / WAITING;
    const going = performance.now();
    const answered = asks.map((ask) => approver.answer(ask, "Approve"));
    await Promise.all([...answered, ...answers]);
    many = { perSecond: (WAITING / (parkedMs + performance.now() - going)) * 1000, bytesHere, bytesInRedis };
    await Promise.all(asks.map((ask) => resolver.settled(ask, "completed")));
  }
  await approver.close();
  await resolver.close();
  return many;
}

async function usedByRedis(redis: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info("memory"))?.[1]);
}

/** Ids that no earlier run left in Redis, and a deadline that is far. */
function ofThisRun(): Pick<PendingAsk, "id" | "expires_at_ms"> {
  return { id: globalThis.crypto.randomUUID(), expires_at_ms: Date.now() + 3_600_000 };
}
