import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { UntoldEndings } from "../../src/redis/untold-endings.js";

const ending = (id: string) => ({ id, wait: "w/1", status: "cancelled" });

/** Redis that can be out of reach, and what it was told. */
function endingsOf() {
  const clock = new ManualClock();
  const told: string[] = [];
  const redis = { isOut: false };
  const endings = new UntoldEndings(clock, async ({ id }) => {
    if (redis.isOut) throw new Error("out of reach");
    told.push(id);
  });
  return { clock, told, redis, endings };
}

describe("the end of an ask", () => {
  it("is told once where Redis is in reach, and is not remembered", async () => {
    const { told, endings } = endingsOf();
    expect(await endings.tell(ending("A"), 1_000)).toBe(true);
    expect([told, endings.size]).toEqual([["A"], 0]);
    expect(await endings.tellAgain()).toBe(true);
    expect(told).toEqual(["A"]);
  });

  it("is remembered where it could not be told, and told in order once Redis is back", async () => {
    const { told, redis, endings } = endingsOf();
    redis.isOut = true;
    expect(await endings.tell(ending("A"), 1_000)).toBe(false);
    expect(await endings.tell(ending("B"), 1_000)).toBe(false);
    expect(await endings.tellAgain()).toBe(false);
    expect(endings.size).toBe(2);
    redis.isOut = false;
    expect(await endings.tellAgain()).toBe(true);
    expect([told, endings.size]).toEqual([["A", "B"], 0]);
  });

  it("is forgotten when its time is up, or when it is told to be", async () => {
    const { clock, told, redis, endings } = endingsOf();
    redis.isOut = true;
    await endings.tell(ending("A"), 1_000);
    await endings.tell(ending("B"), 2_000);
    clock.advance(1_000);
    redis.isOut = false;
    expect(await endings.tellAgain()).toBe(true);
    expect(told).toEqual(["B"]);
    redis.isOut = true;
    await endings.tell(ending("C"), 1_000);
    endings.forget();
    expect(endings.size).toBe(0);
  });
});
