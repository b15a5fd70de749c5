import { NIL_UUID, type PendingAsk } from "@x/permission-core";
import { RedisProcess } from "@x/redis-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callName } from "../../src/redis/call-name.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, until } from "./support/channels.js";

/** Two asks about one call: what a restarted process puts has an id of its own. */
const call = (id: string, fields: Partial<PendingAsk> = {}) =>
  pendingAsk(id, {
    call_id: "one call",
    args_digest: "87005d148c61a85e",
    descriptor_digest: "d1",
    ...fields,
  });
const LEFT = call("left");
const AGAIN = call("again");
const YES = { resolution: "Approve", decided_by: "ana" } as const;
const SHORT = { leaseMs: 300 };

let server: RedisProcess;
beforeAll(async () => {
  server = await RedisProcess.start();
});
afterAll(() => server.close());

/** A worker that dies while its ask waits: nothing of it comes to Redis any more. */
async function dyingWorker(channel: ReturnType<typeof channelOn>, ask: PendingAsk) {
  const redis = client(server);
  const resolver = channel.resolver({ ...SHORT, redis });
  void outcomeOf(resolver.resolve(ask, wait().context));
  const approver = channel.approver();
  await until(async () => (await approver.list()).some(({ id }) => id === ask.id), "its ask is listed");
  redis.disconnect();
  return approver;
}

describe("a process that asks about a call whose worker has died", () => {
  it("goes on with the ask that was left, and gives its id", async () => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    const answer = channel.resolver(SHORT).resolve(AGAIN, wait().context);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await approver.list()).toEqual([LEFT]);
    expect(await approver.answer(AGAIN, YES)).toBe("unknown");
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    expect(await answer).toEqual({ ...YES, ask_id: "left" });
  });

  it("[CASE-157] takes the answer that was given meanwhile, once: the same call is a new ask then", async () => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    const resolver = channel.resolver(SHORT);
    expect(await resolver.resolve(AGAIN, wait().context)).toEqual({ ...YES, ask_id: "left" });
    expect(await approver.openClaims()).toMatchObject([{ ask: LEFT, answer: YES }]);

    const third = resolver.resolve(call("third"), wait().context);
    await until(async () => (await approver.list()).length === 1, "it is asked anew");
    expect(await approver.list()).toMatchObject([{ id: "third" }]);
    await approver.answer(call("third"), "Deny");
    expect(await third).toEqual({ resolution: "Deny" });
  });

  it("takes the answer that was given meanwhile also where it puts the ask under the same id", async () => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    expect(await channel.resolver(SHORT).resolve(LEFT, wait().context)).toEqual(YES);
    expect(await approver.openClaims()).toMatchObject([{ ask: LEFT, answer: YES }]);
  });

  it("puts an ask of the same id about another call anew, and takes no answer to the one before", async () => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    const other = call("left", { call_id: "other" });
    const answer = channel.resolver(SHORT).resolve(other, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is asked about");
    expect(await approver.list()).toEqual([other]);
    expect(await approver.answer(other, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Deny" });
  });

  it("[CASE-158] is one of several that ask so at once: one goes on with the ask, and there is one decision", async () => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    const outcomes = ["again", "and again", "once more"].map((id) =>
      outcomeOf(channel.resolver(SHORT).resolve(call(id), wait().context)),
    );
    const refused = await Promise.race(outcomes);
    expect(refused).toEqual({ code: "already_waiting" });
    expect(await approver.list()).toEqual([LEFT]);
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    const ends = (await Promise.all(outcomes)).map((outcome) =>
      "value" in outcome ? outcome.value : outcome.code,
    );
    expect(ends.filter((end) => end === "already_waiting")).toHaveLength(2);
    expect(ends).toContainEqual({ ...YES, ask_id: "left" });
    expect(await approver.list()).toEqual([]);
    expect(await approver.openClaims()).toHaveLength(1);
  });

  it("closes the claim by the ask that it put, as well as by the one that it took over", async () => {
    for (const settled of [AGAIN, LEFT]) {
      const channel = channelOn(server);
      const approver = await dyingWorker(channel, LEFT);
      await approver.answer(LEFT, YES);
      const resolver = channel.resolver(SHORT);
      await resolver.resolve(AGAIN, wait().context);
      await resolver.settled(settled, "completed");
      expect(await approver.openClaims()).toEqual([]);
    }
  });

  it("finds nothing to take over of a claim that the other left open: it asks anew", async () => {
    const channel = channelOn(server);
    const redis = client(server);
    const dying = channel.resolver({ ...SHORT, redis });
    const answer = dying.resolve(LEFT, wait().context);
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await approver.answer(LEFT, YES);
    await answer;
    redis.disconnect();
    void outcomeOf(channel.resolver(SHORT).resolve(AGAIN, wait().context));
    await until(async () => (await approver.list()).length === 1, "the call is asked about anew");
    expect(await approver.list()).toEqual([AGAIN]);
    expect(await approver.openClaims()).toMatchObject([{ ask: LEFT }]);
  });

  it.each<[string, Partial<PendingAsk>]>([
    ["session", { session_id: "other" }],
    ["run", { run_id: "other" }],
    ["turn", { turn: 2 }],
    ["call", { call_id: "other" }],
    ["tool", { tool: "other" }],
    ["arguments", { args_digest: "0000000000000000" }],
    ["descriptor", { descriptor_digest: "d2" }],
  ])("takes over nothing of another %s", async (_what, fields) => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, LEFT);
    await approver.answer(LEFT, YES);
    const other = call("other", fields);
    void outcomeOf(channel.resolver(SHORT).resolve(other, wait().context));
    await until(async () => (await approver.list()).length === 1, "it is asked about");
    expect(await approver.list()).toEqual([other]);
  });

  it.each<[string, Partial<PendingAsk>]>([
    ["session", { session_id: NIL_UUID }],
    ["run", { run_id: NIL_UUID }],
  ])("takes over nothing where the %s is nil", async (_what, fields) => {
    const channel = channelOn(server);
    const approver = await dyingWorker(channel, call("left", fields));
    await approver.answer(call("left"), YES);
    const again = call("again", fields);
    void outcomeOf(channel.resolver(SHORT).resolve(again, wait().context));
    await until(async () => (await approver.list()).length === 1, "it is asked about");
    expect(await approver.list()).toEqual([again]);
  });

  it("asks anew where what is stored for its call is no ask of the channel, and says so", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const redis = client(server);
    const foreign = { wait: "w/1", lease: "0", expires: "", digest: LEFT.args_digest };
    await redis.hset(`${channel.base}calls`, callName(AGAIN) ?? "", "planted");
    await redis.hset(`${channel.base}ask:planted`, {
      ...foreign,
      ask: `- ${JSON.stringify({ ...LEFT, tool: "other" })}`,
    });
    await redis.set(`${channel.base}answer:planted`, `t - -\n{"resolution":"Approve"}`);
    void outcomeOf(channel.resolver(SHORT).resolve(AGAIN, wait().context));
    await until(async () => (await approver.list()).length === 1, "it is asked about");
    expect(await approver.list()).toEqual([AGAIN]);
    expect(channel.reports).toContainEqual(
      expect.objectContaining({ message: expect.stringContaining("put anew") }),
    );
  });
});

describe("a process that asks about a call for which another one waits", () => {
  it("is refused with already_waiting, well before the other's lease has run out", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const answer = channel.resolver().resolve(LEFT, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const start = performance.now();
    expect(await outcomeOf(channel.resolver().resolve(AGAIN, wait().context))).toEqual({
      code: "already_waiting",
    });
    expect(performance.now() - start).toBeLessThan(2_000);
    expect(await approver.list()).toEqual([LEFT]);
    await approver.answer(LEFT, YES);
    expect(await answer).toEqual(YES);
  });

  it("is refused at once where it is the same process with another ask, and soon where it is another with the same", async () => {
    const channel = channelOn(server);
    const resolver = channel.resolver();
    const approver = channel.approver();
    void outcomeOf(resolver.resolve(LEFT, wait().context));
    for (const ask of [AGAIN, { ...LEFT, prompt: "another?" }])
      expect(await outcomeOf(resolver.resolve(ask, wait().context))).toEqual({ code: "already_waiting" });
    await until(async () => (await approver.list()).length === 1, "it is listed");
    expect(await outcomeOf(channel.resolver().resolve(LEFT, wait().context))).toEqual({
      code: "already_waiting",
    });
  });

  it("is refused also where the other takes its answer while it waits to see, and its call ends", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const redis = client(server);
    const first = channel.resolver({ leaseMs: 60_000 });
    const answer = first.resolve(LEFT, wait().context);
    await until(async () => (await approver.list()).length === 1, "it is listed");
    // Its lease is never seen to change: the message that asks for a sign of life does not come to it.
    const { worker } =
      /^(?<worker>[^/]*)/.exec((await redis.hget(`${channel.base}ask:left`, "wait")) ?? "")?.groups ?? {};
    await redis.hset(`${channel.base}ask:left`, "wait", "nobody/1");
    const second = outcomeOf(channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 100));
    await redis.hset(`${channel.base}ask:left`, "wait", `${worker}/1`);
    await approver.answer(LEFT, YES);
    await answer;
    await first.settled(LEFT, "completed");
    expect(await second).toEqual({ code: "already_waiting" });
    expect(await approver.list()).toEqual([]);
  });

  it("may be cancelled while it waits to see whether the other lives", async () => {
    const channel = channelOn(server);
    await dyingWorker(channel, LEFT);
    const waiting = wait();
    const outcome = outcomeOf(channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, waiting.context));
    await new Promise((resolve) => setTimeout(resolve, 20));
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
  });

  it("takes the ask over where the other was held up for longer than its lease, which then learns of it", async () => {
    const channel = channelOn(server);
    const stuck = client(server);
    const resolver = channel.resolver({ redis: stuck, leaseMs: 400, timeoutMs: 200 });
    const first = outcomeOf(resolver.resolve(LEFT, wait().context));
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it is listed");
    const redis = client(server);
    await redis.hset(`${channel.base}ask:left`, "lease", "1");
    const second = channel.resolver({ leaseMs: 60_000 }).resolve(AGAIN, wait().context);
    expect(await first).toEqual({ code: "already_waiting" });
    await approver.answer(LEFT, YES);
    expect(await second).toEqual({ ...YES, ask_id: "left" });
  });
});

describe("an ask whose worker has died", () => {
  it("goes when it has been kept for long enough, and leaves nothing", async () => {
    const redis = client(server);
    await redis.flushall();
    const channel = channelOn(server, { keepMs: 700 });
    const approver = await dyingWorker(channel, LEFT);
    expect(await approver.list()).toEqual([LEFT]);
    await until(async () => (await approver.list()).length === 0, "it is gone");
    expect(await approver.answer(LEFT, YES)).toBe("unknown");
    await approver.close();
    await until(async () => (await redis.dbsize()) === 0, "no key is left");
  });

  it("leaves no name of its call for ever, though other asks live longer", async () => {
    const redis = client(server);
    const channel = channelOn(server);
    const longest = call("nil", { run_id: NIL_UUID, expires_at_ms: Date.now() + 3_600_000 });
    void outcomeOf(channel.resolver().resolve(longest, wait().context));
    await dyingWorker(channel, LEFT);
    expect(await redis.pttl(`${channel.base}calls`)).toBeGreaterThan(0);
  });

  it("reads expired once its deadline has passed", async () => {
    const channel = channelOn(server);
    const left = call("left", { expires_at_ms: Date.now() + 700 });
    const approver = await dyingWorker(channel, left);
    expect(await approver.list()).toEqual([left]);
    await until(async () => (await approver.list()).length === 0, "it is listed no more");
    expect(await approver.answer(left, YES)).toBe("expired");
  });
});
