import type { AskAnswer } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { Signer } from "../../src/redis/signer.js";
import { pendingAsk } from "../support/asks.js";
import { type ChannelOptions, channelOn, clientOfFile, serverOfFile, until } from "./support/channels.js";
import { waitingCall } from "./support/waiting-call.js";

const A = pendingAsk("A");
const B = pendingAsk("B");
const SECRET = "one secret of sixteen bytes";
const OTHER = "another one of sixteen bytes";
const YES = `{"resolution":"Approve"}`;

const server = await serverOfFile();
/** Somebody who can write to Redis. */
const hostile = clientOfFile(server);

function waiting(options: ChannelOptions = {}) {
  return waitingCall(server, hostile, options);
}

describe("with a secret", () => {
  const line = (answer: AskAnswer, signature: string) => `t - ${signature}\n${JSON.stringify(answer)}`;
  const approval = { resolution: "Approve" } as const;

  it("an answer that somebody without it wrote never approves; without a secret it would", async () => {
    const { channel, approver, outcome, plant, isOver } = await waiting({ secret: SECRET });
    const name = channel.base;
    const forged = [
      "-",
      "AAAA",
      new Signer(name, [OTHER]).signAnswer(A, YES),
      new Signer(`${name}x`, [SECRET]).signAnswer(A, YES),
      new Signer(name, [SECRET]).signAnswer(B, YES),
      new Signer(name, [SECRET]).signAnswer({ ...A, args_digest: "0000000000000000" }, YES),
      new Signer(name, [SECRET]).signAnswer(A, `{"resolution":"Deny"}`),
      new Signer(name, [SECRET]).signAsk(YES),
    ];
    for (const [at, signature] of forged.entries()) {
      await plant(line(approval, signature));
      await until(async () => (await approver.list()).length === 1, `it waits again after forgery ${at}`);
      expect(isOver()).toBe(false);
    }
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("no answer") }]);
    await plant(line(approval, new Signer(name, [SECRET]).signAnswer(A, YES)));
    expect(await outcome).toEqual({ value: approval });

    const open = await waiting();
    await open.plant(line(approval, "-"));
    expect(await open.outcome).toEqual({ value: approval });
  });

  it("an ask that somebody without it wrote or changed is shown to nobody; without a secret it would be", async () => {
    const { channel, approver } = await waiting({ secret: SECRET });
    const { base } = channel;
    const signed = String(await hostile.hget(`${base}ask:A`, "ask"));
    const plant = async (stored: string) => {
      await hostile.hset(`${base}ask:A`, "ask", stored);
      await hostile.publish(`${base}asks`, `+9999999999999999 ${stored}`);
    };
    for (const [field, value] of Object.entries({
      prompt: "x",
      tool: "x",
      turn: 9,
      agent: "x",
      details: "x",
    })) {
      const [signature, text = ""] = [
        signed.slice(0, signed.indexOf(" ")),
        signed.slice(signed.indexOf(" ") + 1),
      ];
      await plant(`${signature} ${JSON.stringify({ ...JSON.parse(text), [field]: value })}`);
      expect(await approver.list()).toEqual([]);
      expect(await approver.resolve("A", "Approve")).toBe(false);
    }
    await plant(signed);
    expect(await approver.list()).toEqual([A]);

    const open = await waiting();
    await hostile.hset(`${open.channel.base}ask:A`, "ask", `- ${JSON.stringify({ ...A, prompt: "x" })}`);
    expect(await open.approver.list()).toMatchObject([{ prompt: "x" }]);
  });

  it("sides that have different ones do not understand each other", async () => {
    const { channel, outcome, isOver } = await waiting({ secret: SECRET });
    const stranger = channel.approver({ secret: OTHER });
    expect(await stranger.list()).toEqual([]);
    expect(await stranger.answer(A, "Approve")).toBe("delivered");
    await until(() => channel.reports.some(({ message }) => message.includes("no answer")), "it is reported");
    expect(isOver()).toBe(false);
    const approver = channel.approver();
    await until(async () => (await approver.list()).length === 1, "it waits again");
    await approver.answer(A, "Deny");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("it can be changed while asks wait: each side accepts both before either signs with the new one", async () => {
    const both = await waiting({ secret: [SECRET, OTHER] });
    const next = both.channel.approver({ secret: [OTHER, SECRET] });
    expect(await next.list()).toEqual([A]);
    expect(await next.answer(A, "Approve")).toBe("delivered");
    expect(await both.outcome).toEqual({ value: approval });
  });

  it("a claim is shown only if its ask and its answer are signed", async () => {
    const { channel, approver, outcome } = await waiting({ secret: SECRET });
    await approver.answer(A, "Approve");
    await outcome;
    expect(await approver.openClaims()).toMatchObject([{ ask: A, answer: approval }]);
    await hostile.set(`${channel.base}answer:A`, line(approval, "-"));
    expect(await approver.openClaims()).toEqual([]);
    expect(channel.reports).toMatchObject([{ message: expect.stringContaining("claim was left out") }]);
  });

  it.each<[string, unknown]>([
    ["empty", ""],
    ["short", "fifteen bytes.."],
    ["short bytes", new Uint8Array(15)],
    ["a list with a short one", [SECRET, "short"]],
    ["an empty list", []],
    ["a number", 17],
    ["null", null],
    ["undefined, as an environment variable that is unset", undefined],
    ["a list that holds undefined", [undefined]],
  ])("is refused where it is %s", (_name, secret) => {
    expect(() => channelOn(server).approver({ secret: secret as string })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});
