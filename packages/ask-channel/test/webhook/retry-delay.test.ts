import { afterEach, describe, expect, it, vi } from "vitest";
import { retryDelayMs } from "../../src/webhook/retry-delay.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { inTurn, json, startEndpoint, status } from "./support/endpoint.js";
import { hastyClock } from "./support/hasty-clock.js";
import { loopbackResolver } from "./support/resolvers.js";

function delay(attempt: number, random: number, retryAfterMs = 0): number {
  return retryDelayMs(attempt, { firstDelayMs: 500, retryAfterMs, random });
}

describe("the pause between two attempts", () => {
  it("is twice as long each time, and 10 s at most", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 1_100].map((attempt) => delay(attempt, 0));
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
  });

  it("is shorter by a random part of up to half", () => {
    expect([0, 0.25, 0.5, 1].map((random) => delay(1, random))).toEqual([500, 437.5, 375, 250]);
    expect([0, 0.5, 1].map((random) => delay(9, random))).toEqual([10_000, 7_500, 5_000]);
  });

  it("is as long as the endpoint asks for where that is longer, which nothing is taken off from", () => {
    expect(delay(1, 1, 5_000)).toBe(5_000);
    expect(delay(1, 0, 5_000)).toBe(5_000);
    expect(delay(1, 1, 300)).toBe(300);
    expect(delay(1, 0, 300)).toBe(500);
    expect(delay(9, 0, 60_000)).toBe(60_000);
  });
});

describe("a resolver", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("draws the part anew for each attempt, so that many that failed at once do not come back at once", async () => {
    const drawn = [0, 1, 0.5];
    vi.spyOn(Math, "random").mockImplementation(() => drawn.shift() ?? 0);
    const { url } = await startEndpoint(inTurn(status(500), status(500), status(500), json("Approve")));
    const { clock, pausesMs } = hastyClock();
    const resolver = loopbackResolver({ url, clock });
    expect(await outcomeOf(resolver.resolve(pendingAsk("A"), wait().context))).toEqual({
      value: { resolution: "Approve" },
    });
    expect(pausesMs).toEqual([500, 500, 1_500]);
  });
});
