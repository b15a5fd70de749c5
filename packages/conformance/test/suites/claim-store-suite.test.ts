import { type ClaimStore, MemoryClaimStore } from "@x/permission-core";
import { requireClaim } from "@x/permission-core/stores";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { claimStoreSuite } from "../../src/index.js";
import { failuresOf } from "../support/failures-of.js";

const clock = new ManualClock();
const pass = (ms: number) => clock.advance(ms);

describe("a store in memory", () => {
  claimStoreSuite({ it, pass, create: () => new MemoryClaimStore({ clock }) });
});

describe("a store in memory that others share", () => {
  claimStoreSuite({ it, pass, create: () => new MemoryClaimStore({ clock }), reopen: (store) => store });
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
        return super.claim(key, { ttlMs: requireClaim(key, options) + 3_600_000 });
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
      "takes a whole number of milliseconds from 1 on, and claims nothing for any other",
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

/** The titles of the suite's tests that fail on this store. */
function failuresOn<Store extends ClaimStore>(
  create: () => Store,
  reopen?: (store: Store) => Store,
): Promise<string[]> {
  return failuresOf((it) => claimStoreSuite({ it, pass, create, ...(reopen && { reopen }) }));
}
