import { NIL_UUID } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { outcomeOf, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";
import { call, LEFT, workerThatDies, YES } from "./support/left-behind.js";

const server = await serverOfFile();

describe("an ask whose worker has died", () => {
  it("goes when it has been kept for long enough, and leaves nothing", async () => {
    const redis = client(server);
    await redis.flushall();
    const channel = channelOn(server, { keepMs: 700 });
    const approver = await workerThatDies(server, channel, LEFT);
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
    await workerThatDies(server, channel, LEFT);
    expect(await redis.pttl(`${channel.base}calls`)).toBeGreaterThan(0);
  });

  it("reads expired once its deadline has passed", async () => {
    const channel = channelOn(server);
    const left = call("left", { expires_at_ms: Date.now() + 700 });
    const approver = await workerThatDies(server, channel, left);
    expect(await approver.list()).toEqual([left]);
    await until(async () => (await approver.list()).length === 0, "it is listed no more");
    expect(await approver.answer(left, YES)).toBe("expired");
  });
});
