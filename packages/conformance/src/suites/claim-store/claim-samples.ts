import type { ClaimStore } from "@x/permission-core";

/** Tests by title, each on a fresh and empty store. */
export type ClaimStoreTests = Readonly<Record<string, (store: ClaimStore) => Promise<void>>>;

/** Far longer than any test takes. */
export const LONG_MS = 3_600_000;
/** The longest time of a claim: ten thousand years. */
export const LONGEST_MS = 315_360_000_000_000;

/** Keys that a careless store mixes up with each other or with something of its own. */
export const AWKWARD_KEYS: readonly string[] = [
  "",
  " ",
  "k",
  "K",
  "k ",
  "k\u00001",
  "k:1",
  "k/1",
  "../k",
  "{k}",
  "*",
  "__proto__",
  "constructor",
  "toString",
  "caf\u00e9",
  "cafe\u0301",
  "\ud800",
  "\ufffd",
  "😀".repeat(3_000),
  `${"😀".repeat(3_000)}.`,
];

/** How many of the claims were true. */
export async function countTrue(claims: readonly Promise<boolean>[]): Promise<number> {
  return (await Promise.all(claims)).filter((isFirst) => isFirst === true).length;
}
