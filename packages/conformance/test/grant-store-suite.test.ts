import {
  argsDigest,
  type Grant,
  type GrantQuery,
  type GrantStore,
  MemoryGrantStore,
} from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { grantStoreSuite } from "../src/index.js";

describe("a store in memory", () => {
  grantStoreSuite({ it, create: () => new MemoryGrantStore() });
});

describe("a store in memory that others share", () => {
  grantStoreSuite({ it, create: () => new MemoryGrantStore(), reopen: (store) => store });
});

describe("the suite reports a broken store", () => {
  it("whose list is in the order of the names", async () => {
    class Sorting extends MemoryGrantStore {
      override async load(): Promise<Grant[]> {
        return (await super.load()).sort((left, right) => (left.tool < right.tool ? -1 : 1));
      }
    }
    expect(await failuresOf(() => new Sorting())).toContain("lists in insertion order");
  });

  it("that ignores expiry", async () => {
    class Undying extends MemoryGrantStore {
      override find(query: GrantQuery): Promise<Grant[]> {
        return super.find({ ...query, nowMs: 0 });
      }
    }
    expect(await failuresOf(() => new Undying())).toEqual([
      "leaves out a grant from the millisecond in which it expires",
    ]);
  });

  it("that moves a replaced entry to the end", async () => {
    class Moving extends MemoryGrantStore {
      override async save(grant: Grant): Promise<Grant> {
        await super.revoke(grant.id);
        return super.save(grant);
      }
    }
    expect(await failuresOf(() => new Moving())).toEqual([
      "saving a rule again replaces its entry whole and in place",
    ]);
  });

  it("that trusts the digest", async () => {
    class Trusting extends MemoryGrantStore {
      override async find(query: GrantQuery): Promise<Grant[]> {
        return (await super.load()).filter(
          ({ tool, scope }) =>
            tool === query.tool &&
            (scope === "this_tool" || argsDigest(scope.this_call.args) === query.argsDigest),
        );
      }
    }
    expect(await failuresOf(() => new Trusting())).toContain(
      "goes by the text of the arguments, not by their digest alone",
    );
  });

  it("that gives its own objects away", async () => {
    expect(await failuresOf(() => new Sharing())).toContain(
      "what the caller does to a grant that it saved or got changes nothing",
    );
  });

  it("that cleans up after each test, failed ones included", async () => {
    let created = 0;
    let cleaned = 0;
    const tests: (() => Promise<void>)[] = [];
    grantStoreSuite({
      it: (_, test) => tests.push(test),
      create: () => {
        created += 1;
        return new Sharing();
      },
      cleanUp: () => {
        cleaned += 1;
      },
    });
    await Promise.allSettled(tests.map((test) => test()));
    expect(created).toBe(tests.length);
    expect(cleaned).toBe(created);
  });
});

/** Keeps and gives the very objects. */
class Sharing implements GrantStore {
  readonly #grants: Grant[] = [];

  async load(): Promise<Grant[]> {
    return this.#grants;
  }

  async find({ tool }: GrantQuery): Promise<Grant[]> {
    return this.#grants.filter((grant) => grant.tool === tool);
  }

  async save(grant: Grant): Promise<Grant> {
    this.#grants.push(grant);
    return grant;
  }

  async revoke(): Promise<null> {
    return null;
  }

  async clear(): Promise<number> {
    return 0;
  }
}

/** The titles of the suite's tests that fail on this store. */
async function failuresOf(create: () => GrantStore): Promise<string[]> {
  const failures: string[] = [];
  const tests: [string, () => Promise<void>][] = [];
  grantStoreSuite({ it: (title, test) => tests.push([title, test]), create });
  for (const [title, test] of tests) {
    await test().catch(() => failures.push(title));
  }
  return failures;
}
