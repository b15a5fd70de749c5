import type { Awaitable, ClaimStore } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { countTrue, LONG_MS, LONGEST_MS } from "./claim-samples.js";

/** The store's clock, as a suite knows it. */
export interface ClaimTime {
  pass(ms: number): Awaitable<void>;
  now(): Awaitable<number>;
}

/** Beyond what 32 bits count with a sign, and beyond what they count without, where little would be left. */
const LONG_TIMES_MS = [2 ** 31 + 1, 2 ** 32 + 1, 10 ** 12, LONGEST_MS];
/** What whole seconds make shorter, be they cut or rounded. */
const UNEVEN_MS = 1_400;
const OVERLAPPING = 50;

export async function requireLongTimes(store: ClaimStore, { pass }: Pick<ClaimTime, "pass">): Promise<void> {
  for (const ttlMs of LONG_TIMES_MS)
    requireSame(await store.claim(`${ttlMs}`, { ttlMs }), true, `the first claim for ${ttlMs} ms`);
  await pass(50);
  for (const ttlMs of LONG_TIMES_MS)
    requireSame(await store.claim(`${ttlMs}`, { ttlMs: 1 }), false, `a claim after one for ${ttlMs} ms`);
}

export async function requireKept(store: ClaimStore, otherClaims: number): Promise<void> {
  requireSame(await store.claim("k", { ttlMs: LONG_MS }), true, "the first claim");
  for (let made = 0; made < otherClaims; made += OVERLAPPING) {
    const count = Math.min(OVERLAPPING, otherClaims - made);
    const claims = Array.from({ length: count }, (_, index) =>
      store.claim(`other ${made + index}`, { ttlMs: LONG_MS }),
    );
    requireSame(await countTrue(claims), count, `how many first claims of ${count} other keys were true`);
  }
  requireSame(await store.claim("k", { ttlMs: 1 }), false, `a claim after ${otherClaims} of other keys`);
}

/** A store whose clock goes on by itself is asked as often as it can be: it must not say true too early. */
export async function requireWholeTime(store: ClaimStore, { pass, now }: ClaimTime): Promise<void> {
  const startMs = await now();
  requireSame(await store.claim("k", { ttlMs: UNEVEN_MS }), true, "the first claim");
  for (;;) {
    const isAgain = await store.claim("k", { ttlMs: 1 });
    const agoMs = (await now()) - startMs;
    if (agoMs >= UNEVEN_MS) return;
    requireSame(isAgain, false, `a claim ${agoMs} ms after one for ${UNEVEN_MS} ms`);
    // The last millisecond is asked for, too.
    await pass(Math.max(1, Math.min(50, UNEVEN_MS - 1 - agoMs)));
  }
}
