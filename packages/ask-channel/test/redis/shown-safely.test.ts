import type { PermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { callName } from "../../src/redis/call-name.js";
import { alreadyWaiting, callEnded, endedElsewhere, expired } from "../../src/redis/refusals.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { EVIL, printed, RAW } from "../support/printed.js";
import { channelOn, clientOfFile, serverName, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const server = await serverOfFile();
const hostile = clientOfFile(server);

function setUp() {
  const channel = channelOn(server, { leaseMs: 1_500 });
  return { channel, resolver: channel.resolver(), approver: channel.approver() };
}

describe("text that others wrote to Redis", () => {
  it("is spelled out where it is the id of an ask that another call led to", async () => {
    const { channel, resolver, approver } = setUp();
    const { base } = channel;
    await hostile.hset(`${base}calls`, callName(A) ?? "", EVIL);
    const stored = `- ${JSON.stringify({ ...A, id: EVIL, call_id: "another" })}`;
    const fields = { wait: "w/1", lease: "1", expires: "", digest: A.args_digest, call: callName(A) ?? "" };
    const current = await serverName(hostile);
    await hostile.hset(`${base}ask:${EVIL}`, { ...fields, ask: stored, server: current });
    void outcomeOf(resolver.resolve(A, wait().context));
    await until(async () => (await approver.list()).some(({ id }) => id === "A"), "it is put anew");
    const words = printed(channel.reports);
    expect(words).toContainEqual(expect.stringContaining("is not about this call"));
    for (const line of words) expect(line).not.toMatch(RAW);
  });

  it("is spelled out where it is no JSON: in place of an ask, and of an answer", async () => {
    const { channel, resolver, approver } = setUp();
    const { base } = channel;
    await hostile.zadd(`${base}index`, 1, "planted");
    await hostile.hset(`${base}ask:planted`, {
      wait: "w/1",
      lease: "1",
      expires: "",
      digest: "d",
      ask: `- ${EVIL}`,
    });
    expect(await approver.list()).toEqual([]);
    void outcomeOf(resolver.resolve(A, wait().context));
    await until(async () => (await approver.list()).length === 1, "it waits");
    await hostile.set(`${base}answer:A`, `t - -\n${EVIL}`);
    await until(() => channel.reports.length === 2, "both are reported");
    const words = printed(channel.reports);
    expect(words.filter((line) => line.includes("is no JSON"))).toHaveLength(2);
    for (const line of words) expect(line).not.toMatch(RAW);
  });

  it.each<[string, PermissionGateError]>([
    ["already_waiting", alreadyWaiting(EVIL)],
    ["ask_expired", expired(EVIL)],
    ["ask_expired", endedElsewhere(EVIL, "expired")],
    ["ask_unavailable", endedElsewhere(EVIL, "cancelled")],
    ["ask_answered", callEnded(EVIL, "already_answered")],
    ["ask_cancelled", callEnded(EVIL, "cancelled")],
  ])("is spelled out in an error's words: %s", (code, error) => {
    expect(error.code).toBe(code);
    expect(error.message).toContain("owned");
    expect(error.message).not.toMatch(RAW);
  });
});
