import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryClaimStore } from "../src/memory-claim-store.js";
import { ManualClock } from "../src/testing/manual-clock.js";

describe("MemoryClaimStore", () => {
  it("says true to the first claim, and again from the millisecond in which its time is over", async () => {
    const clock = new ManualClock();
    const store = new MemoryClaimStore({ clock });
    expect(await store.claim("k", { ttlMs: 100 })).toBe(true);
    clock.advance(99);
    expect(await store.claim("k", { ttlMs: 1 })).toBe(false);
    clock.advance(1);
    expect(await store.claim("k", { ttlMs: 100 })).toBe(true);
    expect(await store.claim("other", { ttlMs: 100 })).toBe(true);
  });

  it("goes by the system's clock unless told otherwise", async () => {
    const store = new MemoryClaimStore();
    expect(await store.claim("k", { ttlMs: 60_000 })).toBe(true);
    expect(await store.claim("k", { ttlMs: 60_000 })).toBe(false);
  });

  it("never says true twice within the time of a claim, and says so to one of those that overlap", async () => {
    const step = fc.record({
      keys: fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 6 }),
      ttlMs: fc.integer({ min: 1, max: 20 }),
      passMs: fc.nat(15),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = new ManualClock();
        const store = new MemoryClaimStore({ clock });
        const until = new Map<string, number>();
        for (const { keys, ttlMs, passMs } of steps) {
          const expected = keys.map((key) => {
            const isFirst = clock.now() >= (until.get(key) ?? 0);
            if (isFirst) until.set(key, clock.now() + ttlMs);
            return isFirst;
          });
          expect(await Promise.all(keys.map((key) => store.claim(key, { ttlMs })))).toEqual(expected);
          clock.advance(passMs);
        }
      }),
    );
  });

  it("claims a hundred thousand keys in turn without slowing down, and knows the live ones", async () => {
    const clock = new ManualClock();
    const store = new MemoryClaimStore({ clock });
    expect(await store.claim("lasting", { ttlMs: 1_000_000 })).toBe(true);
    for (let key = 0; key < 100_000; key += 1) {
      clock.advance(1);
      if (!(await store.claim(`${key}`, { ttlMs: 10 }))) throw new Error(`${key} was claimed`);
    }
    expect(await store.claim("99999", { ttlMs: 10 })).toBe(false);
    expect(await store.claim("lasting", { ttlMs: 10 })).toBe(false);
  });
});
