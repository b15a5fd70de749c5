import { TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { escalate, firstAnswer, withDeadline } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const server = await serverOfFile();

function sides(options: Parameters<typeof channelOn>[1] = {}) {
  const channel = channelOn(server, options);
  return { ...channel, asks: channel.resolver(), desk: channel.approver() };
}

/** Scripts run as always; what would wake its waits does not come once it is `silenced`. */
async function silencedSides() {
  const proxy = await TcpProxy.start({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => proxy.close());
  const redis = client(server);
  const duplicate = redis.duplicate.bind(redis);
  Object.assign(redis, { duplicate: (own: object) => duplicate({ ...own, port: proxy.port }) });
  const channel = channelOn(server, { leaseMs: 60_000 });
  const [asks, desk] = [channel.resolver({ redis }), channel.approver()];
  return { asks, desk, silence: () => proxy.dropReplies() };
}

describe("shortly before its deadline", () => {
  it("a wait takes an answer of which nothing told, also where whoever put it ends the wait at its deadline", async () => {
    const { asks, desk, silence } = await silencedSides();
    const outcome = outcomeOf(withDeadline(asks, 5_000).resolve(A, wait().context));
    const pending = await desk.nextPending();
    await pause(200);
    silence();
    expect(await desk.answer(pending ?? A, YES)).toBe("delivered");
    expect(await outcome).toEqual({ value: YES });
    expect(await desk.openClaims()).toHaveLength(1);
  });

  it("many waits look together", async () => {
    const { asks, desk, silence } = await silencedSides();
    const count = 300;
    const expires_at_ms = Date.now() + 5_000;
    const many = Array.from({ length: count }, (_, at) => pendingAsk(`many-${at}`, { expires_at_ms }));
    const outcomes = many.map((ask) => outcomeOf(asks.resolve(ask, wait().context)));
    await until(async () => (await desk.list()).length === count, "all are parked");
    await pause(200);
    silence();
    const [one] = many;
    expect(await desk.answer(one ?? A, YES)).toBe("delivered");
    const scripts = await scriptsUntil(expires_at_ms - 100);
    // One for each two hundred, and what the answered one needs; more where they are not due in one turn of the loop.
    expect(scripts).toBeLessThan(30);
    expect(await outcomes[0]).toEqual({ value: YES });
    expect(await outcomes[1]).toEqual({ code: "ask_expired" });
    await Promise.all(outcomes);
  });
});

/** How many scripts run until then. */
async function scriptsUntil(atMs: number): Promise<number> {
  const redis = client(server);
  const count = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.info("commandstats"))?.[1]);
  const before = await count();
  await pause(atMs - Date.now());
  return (await count()) - before;
}

describe("one ask put with several deadlines", () => {
  it("is one ask, and each of those who put it waits to its own deadline", async () => {
    const { asks, desk } = sides();
    const beganAt = performance.now();
    const put = (inMs?: number) => {
      const ask = inMs === undefined ? A : { ...A, expires_at_ms: Date.now() + inMs };
      return outcomeOf(asks.resolve(ask, wait().context)).then((outcome) => ({
        outcome,
        ms: performance.now() - beganAt,
      }));
    };
    const [soon, late, never] = [put(400), put(3_000), put()];
    await until(async () => (await desk.list()).length === 1, "it is parked");
    const first = await soon;
    const second = await late;
    expect([first.outcome, second.outcome]).toEqual([{ code: "ask_expired" }, { code: "ask_expired" }]);
    expect(first.ms).toBeGreaterThan(395);
    expect(first.ms).toBeLessThan(2_500);
    expect(second.ms).toBeGreaterThan(2_995);
    expect(await desk.list()).toMatchObject([{ id: "A" }]);
    expect(await desk.answer(A, YES)).toBe("delivered");
    expect((await never).outcome).toEqual({ value: YES });
  });

  it("lasts in Redis as long as the longest of them, and no longer than it takes to be told", async () => {
    const { asks, desk, base } = sides();
    const redis = client(server);
    const expires = async () => Number(await redis.hget(`${base}ask:A`, "expires"));
    const in10s = Date.now() + 10_000;
    void outcomeOf(asks.resolve({ ...A, expires_at_ms: in10s }, wait().context));
    await until(async () => (await desk.list()).length === 1, "it is parked");
    expect(Math.abs((await expires()) - in10s)).toBeLessThan(1_000);
    void outcomeOf(asks.resolve({ ...A, expires_at_ms: in10s + 3_600_000 }, wait().context));
    await until(async () => (await expires()) > in10s + 3_500_000, "it lasts longer");
    for (const key of ["ask:A", "index", "calls"])
      expect(await redis.pttl(`${base}${key}`)).toBeGreaterThan(3_600_000);
    void outcomeOf(asks.resolve({ ...A, expires_at_ms: in10s - 5_000 }, wait().context));
    await pause(50);
    expect(await expires()).toBeGreaterThan(in10s + 3_500_000);
    void outcomeOf(asks.resolve(A, wait().context));
    await until(async () => (await redis.hget(`${base}ask:A`, "expires")) === "", "it lasts for ever", 1_000);
    expect(await redis.pttl(`${base}ask:A`)).toBeLessThanOrEqual(600_000);
  });

  it("lasts as long where they are put in one turn of the loop", async () => {
    const { asks, base } = sides();
    const redis = client(server);
    void outcomeOf(asks.resolve({ ...A, expires_at_ms: Date.now() + 10_000 }, wait().context));
    void outcomeOf(asks.resolve(A, wait().context));
    await until(async () => (await redis.hget(`${base}ask:A`, "expires")) === "", "it lasts for ever", 1_000);
  });

  it("is no longer one where anything else differs", async () => {
    const { asks } = sides();
    void outcomeOf(asks.resolve(A, wait().context));
    const other = { ...A, prompt: "another?" };
    expect(await outcomeOf(asks.resolve(other, wait().context))).toEqual({ code: "already_waiting" });
  });

  it("ends as expired where the last to leave did so at its deadline, and is told so", async () => {
    const { asks, desk } = sides();
    const waits = [300, 600].map((ms) =>
      outcomeOf(asks.resolve({ ...A, expires_at_ms: Date.now() + ms }, wait().context)),
    );
    expect(await Promise.all(waits)).toEqual([{ code: "ask_expired" }, { code: "ask_expired" }]);
    await until(async () => (await desk.answer(A, YES)) === "expired", "its end is told");
  });
});

describe("escalate with a deadline at one of its ways to one resolver", () => {
  it.each([
    ["the first", 1_000, undefined],
    ["the second", undefined, 60_000],
    ["both, the second of which is longer", 600, 60_000],
  ])(
    "takes an answer after the deadline of %s or before, as the other way does",
    async (_which, first, second) => {
      const { asks, desk } = sides();
      const composed = escalate(
        [{ to: withDeadline(asks, first) }, { to: withDeadline(asks, second), afterMs: 300 }],
        SILENT,
      );
      const outcome = outcomeOf(composed.resolve(A, wait().context));
      await pause(1_400);
      const [pending] = await desk.list();
      expect(await desk.answer(pending ?? A, YES)).toBe("delivered");
      expect(await outcome).toEqual({ value: YES });
      await composed.settled?.(A, "completed");
      expect(await desk.openClaims()).toEqual([]);
    },
  );

  it("takes none after the last of the deadlines, though the first ask had a later one", async () => {
    const { asks, desk } = sides();
    const outcome = outcomeOf(
      firstAnswer([withDeadline(asks, 700), withDeadline(asks, 300)], SILENT).resolve(A, wait().context),
    );
    expect(await outcome).toEqual({ code: "ask_expired" });
    await until(async () => (await desk.answer(A, YES)) === "expired", "its end is told");
  });
});
