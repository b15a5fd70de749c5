import { argsDigest, type ClaimStore, MemoryClaimStore, PermissionGateError } from "@x/permission-core";
import { requireClaim } from "@x/permission-core/stores";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { claimStoreSuite } from "../../src/index.js";
import { failuresOf } from "../support/failures-of.js";

const TEN_THOUSAND_YEARS_MS = 315_360_000_000_000;
const clock = new ManualClock();
const pass = (ms: number) => clock.advance(ms);
const now = () => clock.now();

describe("a store in memory", () => {
  claimStoreSuite({ it, pass, now, create: () => new MemoryClaimStore({ clock }) });
});

describe("a store in memory that others share", () => {
  claimStoreSuite({ it, pass, now, create: () => new MemoryClaimStore({ clock }), reopen: (store) => store });
});

describe("the suite reports a broken store", () => {
  it("that looks first and claims later", async () => {
    const claimed = new Set<string>();
    class Racing extends MemoryClaimStore {
      override async claim(key: string, options: { ttlMs: number }) {
        requireClaim(key, options);
        const isFirst = !claimed.has(key);
        await Promise.resolve();
        claimed.add(key);
        return isFirst && super.claim(`${key}${Math.random()}`, options);
      }
    }
    expect(
      await failuresOn(() => {
        claimed.clear();
        return new Racing({ clock });
      }),
    ).toContain("says true to exactly one of claims that overlap");
  });

  it("that never forgets", async () => {
    class Lasting extends MemoryClaimStore {
      override claim(key: string, options: { ttlMs: number }) {
        return super.claim(key, {
          ttlMs: Math.min(requireClaim(key, options) + 3_600_000, TEN_THOUSAND_YEARS_MS),
        });
      }
    }
    expect(await failuresOn(() => new Lasting({ clock }))).toEqual([
      "says true again once the time of a claim is over, to one of many, and for the new time",
      "a claim that was refused does not lengthen the time of the one before",
    ]);
  });

  it("whose refused claims lengthen the time", async () => {
    expect(await failuresOn(() => new Lengthening())).toEqual([
      "a claim that was refused does not lengthen the time of the one before",
    ]);
  });

  it("that cuts keys at a NUL, or takes them for lower case", async () => {
    for (const change of [
      (key: string) => key.split("\u0000", 1)[0] ?? "",
      (key: string) => key.toLowerCase(),
    ]) {
      class Changing extends MemoryClaimStore {
        override claim(key: string, options: { ttlMs: number }) {
          return super.claim(change(key), options);
        }
      }
      expect(await failuresOn(() => new Changing({ clock }))).toEqual([
        "keeps keys apart, whatever they are",
      ]);
    }
  });

  it("that takes any time", async () => {
    class Lenient extends MemoryClaimStore {
      override claim(key: string, { ttlMs }: { ttlMs: number }) {
        return super.claim(key, { ttlMs: Number.isSafeInteger(ttlMs) && ttlMs > 0 ? ttlMs : 1 });
      }
    }
    expect(await failuresOn(() => new Lenient({ clock }))).toEqual([
      "takes a whole number of milliseconds from 1 to ten thousand years, and claims nothing for any other",
    ]);
  });

  it.each([
    ["less than a claim may last", 10 ** 12, "a claim stands at first, however long its time is"],
    [
      "more than ten thousand years",
      Number.MAX_SAFE_INTEGER,
      "takes a whole number of milliseconds from 1 to ten thousand years, and claims nothing for any other",
    ],
  ])("that takes %s", async (_, mostMs, title) => {
    class Bounded extends MemoryClaimStore {
      override async claim(key: string, { ttlMs }: { ttlMs: number }) {
        if (ttlMs > mostMs) throw new PermissionGateError("invalid_option", "too long");
        return super.claim(key, { ttlMs: ttlMs > TEN_THOUSAND_YEARS_MS ? TEN_THOUSAND_YEARS_MS : ttlMs });
      }
    }
    expect(await failuresOn(() => new Bounded({ clock }))).toEqual([title]);
  });

  it("whose claims end early for the size of their time", async () => {
    const cutTo32Bits = (ttlMs: number) => ttlMs | 0;
    const likeTimersOfNode = (ttlMs: number) => (ttlMs > 2 ** 31 - 1 ? 1 : ttlMs);
    for (const lastsMs of [cutTo32Bits, likeTimersOfNode])
      expect(await failuresOn(() => new Altered(lastsMs))).toEqual([
        "a claim stands at first, however long its time is",
      ]);
  });

  it("whose claims end early by part of a second, or by one millisecond", async () => {
    const downToSeconds = (ttlMs: number) => (ttlMs < 1_000 ? ttlMs : Math.floor(ttlMs / 1_000) * 1_000);
    const toSeconds = (ttlMs: number) => (ttlMs < 1_000 ? ttlMs : Math.round(ttlMs / 1_000) * 1_000);
    const oneLess = (ttlMs: number) => ttlMs - 1;
    for (const lastsMs of [downToSeconds, toSeconds, oneLess])
      expect(await failuresOn(() => new Altered(lastsMs))).toEqual(["a claim stands until its time is over"]);
  });

  it("that keeps the latest claims alone", async () => {
    for (const most of [50, 300, 1_000])
      expect(await failuresOn(() => new Forgetting(most))).toEqual([
        "a claim stands, however many others are made after it",
      ]);
  });

  it("that takes the keys of many claims for one another", async () => {
    class Digesting extends MemoryClaimStore {
      override claim(key: string, options: { ttlMs: number }) {
        return super.claim(
          String(Number.parseInt(argsDigest(JSON.stringify(key)).slice(0, 8), 16) % 50_000),
          options,
        );
      }
    }
    expect(await failuresOn(() => new Digesting({ clock }))).toEqual([
      "a claim stands, however many others are made after it",
    ]);
  });

  it("that does not see what another one claimed", async () => {
    const create = () => new MemoryClaimStore({ clock });
    expect(await failuresOn(create, create)).toEqual([
      "two stores over the same data say true once between them",
    ]);
  });
});

/** Every claim sets the end anew. */
class Lengthening implements ClaimStore {
  readonly #until = new Map<string, number>();

  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    const end = clock.now() + requireClaim(key, options);
    const until = this.#until.get(key) ?? 0;
    const isFirst = until <= clock.now();
    this.#until.set(key, isFirst ? end : Math.max(until, end));
    return isFirst;
  }
}

/** Its claims last for another time. */
class Altered implements ClaimStore {
  readonly #until = new Map<string, number>();
  readonly #lastsMs: (ttlMs: number) => number;

  constructor(lastsMs: (ttlMs: number) => number) {
    this.#lastsMs = lastsMs;
  }

  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    const lastsMs = this.#lastsMs(requireClaim(key, options));
    if (clock.now() < (this.#until.get(key) ?? 0)) return false;
    this.#until.set(key, clock.now() + lastsMs);
    return true;
  }
}

/** Keeps so many claims, and drops the oldest of them for each new one. */
class Forgetting implements ClaimStore {
  readonly #until = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  async claim(key: string, options: { ttlMs: number }): Promise<boolean> {
    const ttlMs = requireClaim(key, options);
    if (clock.now() < (this.#until.get(key) ?? 0)) return false;
    this.#until.set(key, clock.now() + ttlMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > this.#most && oldest !== undefined) this.#until.delete(oldest);
    return true;
  }
}

/** The titles of the suite's tests that fail on this store. */
function failuresOn<Store extends ClaimStore>(
  create: () => Store,
  reopen?: (store: Store) => Store,
): Promise<string[]> {
  return failuresOf((it) => claimStoreSuite({ it, pass, now, create, ...(reopen && { reopen }) }));
}
