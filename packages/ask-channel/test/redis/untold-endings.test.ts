import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { UntoldEndings } from "../../src/redis/untold-endings.js";

const ending = (id: string) => ({ id, wait: "w/1", status: "cancelled" });

/** Redis that can be out of reach, for all or for one, and what it was told. */
function endingsOf() {
  const clock = new ManualClock();
  const told: string[] = [];
  const redis = { isOut: false, fails: "", attempts: 0 };
  const endings = new UntoldEndings(clock, async ({ id }) => {
    redis.attempts += 1;
    if (redis.isOut || redis.fails === id) throw new Error("out of reach");
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

  it("is told also where the one before it fails", async () => {
    const { told, redis, endings } = endingsOf();
    redis.isOut = true;
    for (const id of ["A", "B", "C"]) await endings.tell(ending(id), 1_000);
    redis.isOut = false;
    redis.fails = "A";
    expect(await endings.tellAgain()).toBe(false);
    expect([told, endings.size]).toEqual([["B", "C"], 1]);
  });

  it("is told with others, and with so many only as leave time for what is more urgent", async () => {
    const { told, redis, endings } = endingsOf();
    redis.isOut = true;
    for (let count = 0; count < 3_000; count += 1) await endings.tell(ending(`${count}`), 1_000);
    redis.attempts = 0;
    expect(await endings.tellAgain()).toBe(false);
    // None of the batches after the one that failed.
    expect(redis.attempts).toBe(256);
    redis.isOut = false;
    expect(await endings.tellAgain()).toBe(false);
    expect([told.length, endings.size]).toEqual([1_024, 1_976]);
    expect(await endings.tellAgain(Number.POSITIVE_INFINITY)).toBe(true);
    expect([told.length, endings.size]).toEqual([3_000, 0]);
  });

  it("is tried once where it is not to be remembered", async () => {
    const { told, redis, endings } = endingsOf();
    redis.isOut = true;
    expect(await endings.tell(ending("A"), 0)).toBe(false);
    expect(endings.size).toBe(0);
    redis.isOut = false;
    expect(await endings.tell(ending("B"), 0)).toBe(true);
    expect([told, endings.size]).toEqual([["B"], 0]);
  });

  it("is forgotten where 100,000 later ones are remembered", async () => {
    const { told, redis, endings } = endingsOf();
    redis.isOut = true;
    await Promise.all(Array.from({ length: 100_001 }, (_, count) => endings.tell(ending(`${count}`), 1_000)));
    expect(endings.size).toBe(100_000);
    redis.isOut = false;
    await endings.tellAgain();
    expect(told[0]).toBe("1");
  });
});
