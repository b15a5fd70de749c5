import { describe, expect, it } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile } from "./support/channels.js";

const MOST = 1_000_000;

/** An ask that has `length` characters as JSON. */
function askOf(length: number, character = "x") {
  const rest = JSON.stringify(pendingAsk("A", { details: "" })).length;
  return pendingAsk("A", { details: character.repeat(length - rest) });
}

const server = await serverOfFile();

describe("an ask of which the JSON has", () => {
  it.each(["x", "é"])("a million characters is put and answered: %s", async (character) => {
    const channel = channelOn(server);
    const ask = askOf(MOST, character);
    expect(JSON.stringify(ask)).toHaveLength(MOST);
    const answer = channel.resolver().resolve(ask, wait().context);
    const approver = channel.approver();
    expect(await approver.nextPending()).toEqual(ask);
    expect(await approver.list()).toEqual([ask]);
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve" });
  });

  it("more is refused as a bad record at once, and nothing of it is stored", async () => {
    const channel = channelOn(server, { secret: "one secret of sixteen bytes" });
    const resolver = channel.resolver();
    await expect(resolver.resolve(askOf(MOST + 1), wait().context)).rejects.toMatchObject({
      code: "bad_record",
      message: "ask: as JSON it has 1000001 characters, and may have 1000000: shorten its prompt or details",
    });
    expect(await client(server).keys(`${channel.base}*`)).toEqual([]);
    expect(await outcomeOf(resolver.settled(askOf(MOST + 1), "denied"))).toEqual({ value: undefined });
  });
});

describe("an answer of which the JSON has more than a million characters", () => {
  it("is refused as a bad record, and its ask goes on waiting", async () => {
    const channel = channelOn(server);
    const ask = pendingAsk("A");
    const answer = channel.resolver().resolve(ask, wait().context);
    const approver = channel.approver();
    await approver.nextPending();
    const rest = JSON.stringify({ resolution: "Approve", reason: "" }).length;
    await expect(
      approver.answer(ask, { resolution: "Approve", reason: "x".repeat(MOST - rest + 1) }),
    ).rejects.toMatchObject({
      code: "bad_record",
      message:
        "answer: as JSON it has 1000001 characters, and may have 1000000: shorten its reason or the input that it gives",
    });
    const longest = { resolution: "Approve", reason: "x".repeat(MOST - rest) } as const;
    expect(await approver.answer(ask, longest)).toBe("delivered");
    expect(await answer).toEqual(longest);
  });
});
