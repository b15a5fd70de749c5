import {
  argsDigest,
  type Grant,
  type GrantQuery,
  type GrantStore,
  grantCovers,
  grantId,
  MemoryGrantStore,
} from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { grantStoreSuite } from "../../src/index.js";
import { failuresOf } from "../support/failures-of.js";

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
    expect(await failuresOn(() => new Sorting())).toContain("lists in insertion order");
  });

  it("that ignores expiry", async () => {
    class Undying extends MemoryGrantStore {
      override find(query: GrantQuery): Promise<Grant[]> {
        return super.find({ ...query, nowMs: 0 });
      }
    }
    expect(await failuresOn(() => new Undying())).toEqual([
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
    expect(await failuresOn(() => new Moving())).toEqual([
      "saving a rule again replaces its entry whole and in place",
      "a grant saved under an id that is taken replaces what had it, whatever either says",
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
    expect(await failuresOn(() => new Trusting())).toContain(
      "goes by the text of the arguments, not by their digest alone",
    );
  });

  it("that cuts names at a NUL", async () => {
    const cut = (text: string) => text.split("\u0000", 1)[0] ?? "";
    class Cutting extends MemoryGrantStore {
      override async find(query: GrantQuery): Promise<Grant[]> {
        return (await super.load()).filter((grant) =>
          grantCovers({ ...grant, tool: cut(grant.tool) }, cut(query.tool), query.args),
        );
      }
    }
    expect(await failuresOn(() => new Cutting())).toContain(
      "names and arguments are told apart character by character",
    );
  });

  it("that keeps the pin of a rule that is saved again without one", async () => {
    class Merging extends MemoryGrantStore {
      override async save(grant: Grant): Promise<Grant> {
        const before = (await super.load()).find(({ id }) => id === grant.id);
        const pinned_descriptor = grant.pinned_descriptor ?? before?.pinned_descriptor ?? null;
        return super.save({ ...grant, pinned_descriptor });
      }
    }
    expect(await failuresOn(() => new Merging())).toEqual([
      "saving a rule again replaces its entry whole and in place",
    ]);
  });

  it("that goes by the rule where another id was kept", async () => {
    class Rewriting extends MemoryGrantStore {
      override save(grant: Grant): Promise<Grant> {
        return super.save({ ...grant, id: grantId(grant.tool, grant.verdict, grant.scope) });
      }
    }
    expect(await failuresOn(() => new Rewriting())).toEqual([
      "keeps an id as it stands, and goes by it",
      "ids may be any text, the names of members of every object too",
      "a grant saved under an id that is taken replaces what had it, whatever either says",
    ]);
  });

  it("that loses what is saved while it saves", async () => {
    expect(await failuresOn(() => new Racing())).toEqual(["saves that overlap lose nothing"]);
  });

  it("that does not see what another one saved", async () => {
    const copy = () => new MemoryGrantStore();
    expect(await failuresOn(copy, copy)).toEqual([
      "a second store over the same data sees what the first one saved, revoked and cleared",
      "two stores over the same data keep one order, and replace in place what the other saved",
      "saves that overlap in two stores over the same data lose nothing",
    ]);
  });

  it("that gives its own objects away", async () => {
    expect(await failuresOn(() => new Sharing())).toContain(
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

/** Reads, and writes back what it read with the grant added, whatever happened in between. */
class Racing implements GrantStore {
  #kept = new MemoryGrantStore();

  async save(grant: Grant): Promise<Grant> {
    const before = await this.#kept.load();
    this.#kept = new MemoryGrantStore([...before, grant]);
    return structuredClone(grant);
  }

  load(): Promise<Grant[]> {
    return this.#kept.load();
  }

  find(query: GrantQuery): Promise<Grant[]> {
    return this.#kept.find(query);
  }

  revoke(id: string): Promise<Grant | null> {
    return this.#kept.revoke(id);
  }

  clear(): Promise<number> {
    return this.#kept.clear();
  }
}

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
function failuresOn<Store extends GrantStore>(
  create: () => Store,
  reopen?: (store: Store) => Store,
): Promise<string[]> {
  return failuresOf((it) => grantStoreSuite({ it, create, ...(reopen && { reopen }) }));
}
