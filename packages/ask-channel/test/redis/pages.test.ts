import type { PendingAsk } from "@x/permission-core";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { pendingAsk } from "../support/asks.js";
import { channelOn, client, serverOfFile } from "./support/channels.js";

const YES = `t - -\n{"resolution":"Approve"}`;
const MEGABYTE = "x".repeat(1_000_000);

const server = await serverOfFile();

/** Writes asks as they stand in Redis, at the places given. */
async function store(
  redis: Redis,
  base: string,
  asks: readonly (readonly [PendingAsk, number])[],
  state?: "claimed",
) {
  const pipeline = redis.pipeline();
  for (const [ask, place] of asks) {
    const fields = {
      wait: "w/1",
      lease: "0",
      expires: "",
      digest: ask.args_digest,
      ask: `- ${JSON.stringify(ask)}`,
    };
    pipeline.hset(`${base}ask:${ask.id}`, state === undefined ? fields : { ...fields, state });
    pipeline.zadd(`${base}${state === undefined ? "index" : "claims"}`, place, ask.id);
    if (state !== undefined) pipeline.set(`${base}answer:${ask.id}`, YES);
  }
  await pipeline.exec();
}

/** A client that calls `between` after each page that it read, with the page's number and length. */
function interrupted(between: (page: number, length: number) => Promise<unknown>): Redis {
  const redis = client(server);
  const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  let pages = 0;
  redis.evalsha = (async (...args: unknown[]) => {
    const reply = await evalsha(...args);
    if (!Array.isArray(reply)) return reply;
    pages += 1;
    await between(pages, reply.join("").length);
    return reply;
  }) as typeof redis.evalsha;
  return redis;
}

/** 300 asks, and their places: all of their own, or the same for all. */
const MANY = Array.from({ length: 300 }, (_, at) => pendingAsk(`ask-${String(at).padStart(3, "0")}`));
const PLACES: readonly [string, (at: number) => number][] = [
  ["each at a place of its own", (at) => 1_000 + at],
  ["all at one place", () => 1_000],
  ["by seventies at one place", (at) => Math.floor(at / 70)],
];

describe("claims that stay open while they are read", () => {
  it.each(PLACES)(
    "are all shown, once each and in order, though others end between two pages: %s",
    async (_name, placeOf) => {
      const channel = channelOn(server);
      const admin = client(server);
      await store(
        admin,
        channel.base,
        MANY.map((ask, at) => [ask, placeOf(at)]),
        "claimed",
      );
      const ended = MANY.slice(0, 50).map(({ id }) => id);
      const redis = interrupted(async (page) => {
        if (page === 1) await admin.zrem(`${channel.base}claims`, ended);
      });
      const approver = channel.approver();
      expect(await approver.openClaims()).toHaveLength(300);
      const claims = await channel.approver({ redis }).openClaims();
      const shown = claims.map(({ ask }) => ask.id);
      expect(shown.filter((id) => !ended.includes(id))).toEqual(MANY.slice(50).map(({ id }) => id));
      expect(new Set(shown).size).toBe(shown.length);
    },
  );

  it("are all shown where the claim at which a page ended has ended, or was made anew", async () => {
    for (const change of ["end", "renew"] as const) {
      const channel = channelOn(server);
      const admin = client(server);
      const key = `${channel.base}claims`;
      await store(
        admin,
        channel.base,
        MANY.map((ask) => [ask, 1_000]),
        "claimed",
      );
      const redis = interrupted(async (page) => {
        if (page > 1) return;
        await (change === "end" ? admin.zrem(key, "ask-199") : admin.zadd(key, 2_000, "ask-199"));
      });
      const ids = new Set((await channel.approver({ redis }).openClaims()).map(({ ask }) => ask.id));
      expect(MANY.filter(({ id }) => id !== "ask-199" && !ids.has(id))).toEqual([]);
    }
  });
});

describe("asks that wait", () => {
  it.each(PLACES)(
    "are all listed, once each and in order, though others end between two pages: %s",
    async (_name, placeOf) => {
      const channel = channelOn(server);
      const admin = client(server);
      await store(
        admin,
        channel.base,
        MANY.map((ask, at) => [ask, placeOf(at)]),
      );
      const ended = MANY.slice(0, 50).map(({ id }) => id);
      const redis = interrupted(async (page) => {
        if (page === 1) await admin.zrem(`${channel.base}index`, ended);
      });
      const shown = (await channel.approver({ redis }).list()).map(({ id }) => id);
      expect(shown.filter((id) => !ended.includes(id))).toEqual(MANY.slice(50).map(({ id }) => id));
      expect(new Set(shown).size).toBe(shown.length);
    },
  );

  it("are listed once, in their new order, where they are put anew between two pages", async () => {
    const channel = channelOn(server);
    const admin = client(server);
    await store(
      admin,
      channel.base,
      MANY.map((ask, at) => [ask, at]),
    );
    const redis = interrupted(async (page) => {
      if (page === 1) await admin.zadd(`${channel.base}index`, 1_000, "ask-000");
    });
    const [first, ...others] = MANY;
    expect(await channel.approver({ redis }).list()).toEqual([...others, first]);
  });

  it("with names that sort differently by letters and by bytes are all listed where they share a place", async () => {
    const channel = channelOn(server);
    const names = [
      "a",
      "B",
      "b",
      "A",
      "é",
      "z",
      "Z",
      "ä",
      "\u{1f600}",
      "\uff5e",
      "a\u0000",
      "a\u0000b",
      " ",
      "_",
    ];
    const asks = names.flatMap((name) => Array.from({ length: 30 }, (_, at) => pendingAsk(`${name}${at}`)));
    await store(
      client(server),
      channel.base,
      asks.map((ask) => [ask, 7]),
    );
    const shown = (await channel.approver().list()).map(({ id }) => id);
    expect(shown.toSorted()).toEqual(asks.map(({ id }) => id).toSorted());
  });
});

describe("a page", () => {
  it("ends after some megabytes as well, of asks as of claims, and none is left out", async () => {
    const channel = channelOn(server);
    const asks = Array.from({ length: 20 }, (_, at) => pendingAsk(`big-${at}`, { details: MEGABYTE }));
    const sizes: number[] = [];
    const redis = interrupted(async (_page, length) => void sizes.push(length));
    const approver = channel.approver({ redis });
    await store(
      client(server),
      channel.base,
      asks.map((ask, at) => [ask, at]),
    );
    expect((await approver.list()).map(({ id }) => id)).toEqual(asks.map(({ id }) => id));
    await store(
      client(server),
      channel.base,
      asks.map((ask, at) => [ask, at]),
      "claimed",
    );
    expect((await approver.openClaims()).map(({ ask }) => ask.id)).toEqual(asks.map(({ id }) => id));
    expect(Math.max(...sizes)).toBeGreaterThan(3_000_000);
    expect(Math.max(...sizes)).toBeLessThan(6_000_000);
  });

  it("has one at least, however large", async () => {
    const channel = channelOn(server);
    const asks = ["a", "b"].map((id) => pendingAsk(id, { details: MEGABYTE.repeat(9) }));
    await store(
      client(server),
      channel.base,
      asks.map((ask, at) => [ask, at]),
    );
    expect((await channel.approver().list()).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("names that are no UTF-8, at one place", () => {
  it("are passed over, and end the list all the same", async () => {
    const channel = channelOn(server);
    const redis = client(server);
    const waits = pendingAsk("waits");
    const pipeline = redis.pipeline();
    for (let at = 0; at < 450; at += 1)
      pipeline.zadd(`${channel.base}index`, 1, Buffer.from([0xff, at & 0xff, at >> 8]));
    await pipeline.exec();
    await store(redis, channel.base, [[waits, 2]]);
    expect(await channel.approver().list()).toEqual([waits]);
  });
});
