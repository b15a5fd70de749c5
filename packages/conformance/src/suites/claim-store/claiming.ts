import { requireSame } from "../require-same.js";
import { AWKWARD_KEYS, type ClaimStoreTests, countTrue, LONG_MS, LONGEST_MS } from "./claim-samples.js";

/** What a store says to claims of its own. By title. */
export const CLAIMING: ClaimStoreTests = {
  "says true to the first claim of a key, and false to every later one": async (store) => {
    requireSame(await store.claim("k", { ttlMs: LONG_MS }), true, "the first claim");
    for (const ttlMs of [LONG_MS, 1, 2 * LONG_MS])
      requireSame(await store.claim("k", { ttlMs }), false, `a later claim for ${ttlMs} ms`);
  },

  "keeps keys apart, whatever they are": async (store) => {
    for (const key of AWKWARD_KEYS)
      requireSame(await store.claim(key, { ttlMs: LONG_MS }), true, `the first claim of ${shown(key)}`);
    for (const key of AWKWARD_KEYS)
      requireSame(await store.claim(key, { ttlMs: LONG_MS }), false, `the second claim of ${shown(key)}`);
  },

  "says true to exactly one of claims that overlap": async (store) => {
    for (const count of [2, 7, 40]) {
      const claims = Array.from({ length: count }, () => store.claim(`one of ${count}`, { ttlMs: LONG_MS }));
      requireSame(await countTrue(claims), 1, `how many of ${count} claims were true`);
    }
  },

  "takes a whole number of milliseconds from 1 to ten thousand years, and claims nothing for any other":
    async (store) => {
      for (const ttlMs of [
        0,
        -1,
        1.5,
        Number.NaN,
        Number.POSITIVE_INFINITY,
        LONGEST_MS + 1,
        2 ** 53,
        "60000",
      ]) {
        const code = await codeOf(() => store.claim("k", { ttlMs: ttlMs as number }));
        requireSame(code, "invalid_option", `the code of a claim for ${String(ttlMs)} ms`);
      }
      requireSame(await store.claim("k", { ttlMs: LONG_MS }), true, "the first claim for a time");
    },
};

function shown(key: string): string {
  return JSON.stringify(key.length > 20 ? `${key.slice(0, 20)}… (${key.length})` : key);
}

async function codeOf(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return `none, but ${String(await run())}`;
  } catch (error) {
    return error instanceof Error && "code" in error ? error.code : String(error);
  }
}
