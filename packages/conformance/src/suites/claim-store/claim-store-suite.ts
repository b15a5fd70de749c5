import type { Awaitable, ClaimStore } from "@x/permission-core";
import type { DefineTest } from "../../describe-vectors.js";
import { requireSame } from "../require-same.js";
import { countTrue, LONG_MS } from "./claim-samples.js";
import { requireKept, requireLongTimes, requireWholeTime } from "./claim-standing.js";
import { CLAIMING } from "./claiming.js";

const MANY_CLAIMS = 2_000;

export interface ClaimStoreSuiteOptions<Store extends ClaimStore> {
  it: DefineTest;
  /** A fresh, empty store: once for each test. */
  create(): Awaitable<Store>;
  /** A second store over the same data. Left out: the data lives and dies with the store. */
  reopen?(store: Store): Awaitable<Store>;
  /** Lets so many milliseconds pass by the clock that the store goes by, and no fewer. At most 50. */
  pass(ms: number, store: Store): Awaitable<void>;
  /** The time in milliseconds by that clock. Left out: that a claim stands until its time is over is not tested. */
  now?(store: Store): Awaitable<number>;
  /** How many others are made while a claim stands. Default 2,000; fewer where a claim takes long, as on a slow disk. */
  otherClaims?: number;
  /** Called after each test, also a failed one. */
  cleanUp?(store: Store): Awaitable<void>;
}

/** Defines the tests that every {@link ClaimStore} must pass. */
export function claimStoreSuite<Store extends ClaimStore>(options: ClaimStoreSuiteOptions<Store>): void {
  const { pass, now, reopen, otherClaims = MANY_CLAIMS } = options;
  const define = (title: string, test: (store: Store) => Promise<void>) => {
    options.it(title, async () => {
      const store = await options.create();
      try {
        await test(store);
      } finally {
        await options.cleanUp?.(store);
      }
    });
  };
  for (const [title, test] of Object.entries(CLAIMING)) define(title, test);

  define(
    "says true again once the time of a claim is over, to one of many, and for the new time",
    async (store) => {
      requireSame(await store.claim("k", { ttlMs: 50 }), true, "the first claim");
      requireSame(await store.claim("other", { ttlMs: LONG_MS }), true, "the first claim of another key");
      await pass(50, store);
      const claims = Array.from({ length: 20 }, () => store.claim("k", { ttlMs: LONG_MS }));
      requireSame(await countTrue(claims), 1, "how many claims after its time were true");
      await pass(50, store);
      requireSame(await store.claim("k", { ttlMs: 1 }), false, "a claim within the new time");
      requireSame(await store.claim("other", { ttlMs: 1 }), false, "a claim of the other key");
    },
  );

  define("a claim that was refused does not lengthen the time of the one before", async (store) => {
    requireSame(await store.claim("k", { ttlMs: 50 }), true, "the first claim");
    await store.claim("k", { ttlMs: LONG_MS });
    await pass(50, store);
    requireSame(await store.claim("k", { ttlMs: LONG_MS }), true, "a claim after its time");
  });

  define("a claim stands at first, however long its time is", (store) =>
    requireLongTimes(store, { pass: (ms) => pass(ms, store) }),
  );

  define("a claim stands, however many others are made after it", (store) => requireKept(store, otherClaims));

  if (now !== undefined) {
    define("a claim stands until its time is over", (store) =>
      requireWholeTime(store, { pass: (ms) => pass(ms, store), now: () => now(store) }),
    );
  }

  if (reopen === undefined) return;
  define("two stores over the same data say true once between them", async (store) => {
    const second = await reopen(store);
    requireSame(await store.claim("k", { ttlMs: LONG_MS }), true, "the claim of the first");
    requireSame(await second.claim("k", { ttlMs: LONG_MS }), false, "the claim of the second");
    const claims = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? store : second).claim("both", { ttlMs: LONG_MS }),
    );
    requireSame(await countTrue(claims), 1, "how many of 40 claims were true");
  });
}
