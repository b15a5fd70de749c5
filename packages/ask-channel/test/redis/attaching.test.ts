import { NIL_UUID, type PendingAsk } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { callName } from "../../src/redis/call-name.js";
import { outcomeOf, wait } from "../support/asks.js";
import { channelOn, client, serverName, serverOfFile, until } from "./support/channels.js";
import { AGAIN, call, LEFT, SHORT, workerThatDies, YES } from "./support/left-behind.js";

const server = await serverOfFile();

describe("a process that asks about a call whose worker has died", () => {
  it("goes on with the ask that was left, and gives its id", async () => {
    const channel = channelOn(server);
    const approver = await workerThatDies(server, channel, LEFT);
    const answer = channel.resolver(SHORT).resolve(AGAIN, wait().context);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await approver.list()).toEqual([LEFT]);
    expect(await approver.answer(AGAIN, YES)).toBe("unknown");
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    expect(await answer).toEqual({ ...YES, ask_id: "left" });
  });

  it("[CASE-157] takes the answer that was given meanwhile, once: the same call is a new ask then", async () => {
    const channel = channelOn(server);
    const approver = await workerThatDies(server, channel, LEFT);
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
    const approver = await workerThatDies(server, channel, LEFT);
    expect(await approver.answer(LEFT, YES)).toBe("delivered");
    expect(await channel.resolver(SHORT).resolve(LEFT, wait().context)).toEqual(YES);
    expect(await approver.openClaims()).toMatchObject([{ ask: LEFT, answer: YES }]);
  });

  it("puts an ask of the same id about another call anew, and takes no answer to the one before", async () => {
    const channel = channelOn(server);
    const approver = await workerThatDies(server, channel, LEFT);
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
    const approver = await workerThatDies(server, channel, LEFT);
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
      const approver = await workerThatDies(server, channel, LEFT);
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
    const approver = await workerThatDies(server, channel, LEFT);
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
    const approver = await workerThatDies(server, channel, call("left", fields));
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
    const name = callName(AGAIN) ?? "";
    const foreign = {
      wait: "w/1",
      lease: "0",
      expires: "",
      digest: LEFT.args_digest,
      call: name,
      server: await serverName(redis),
    };
    await redis.hset(`${channel.base}calls`, name, "planted");
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
