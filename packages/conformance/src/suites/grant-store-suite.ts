import type { Awaitable, GrantStore } from "@x/permission-core";
import type { DefineTest } from "../describe-vectors.js";
import { FINDING } from "./grant-finding.js";
import { KEEPING } from "./grant-keeping.js";
import { grant } from "./grant-samples.js";
import { requireSame } from "./require-same.js";

export interface GrantStoreSuiteOptions<Store extends GrantStore> {
  it: DefineTest;
  /** A fresh, empty store: once for each test. */
  create(): Awaitable<Store>;
  /** A second store over the same data. Left out: the data lives and dies with the store. */
  reopen?(store: Store): Awaitable<Store>;
  /** Called after each test, also a failed one. */
  cleanUp?(store: Store): Awaitable<void>;
}

/** Defines the tests that every {@link GrantStore} must pass. Times are given, so no clock is looked at. */
export function grantStoreSuite<Store extends GrantStore>(options: GrantStoreSuiteOptions<Store>): void {
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
  for (const [title, test] of Object.entries({ ...KEEPING, ...FINDING })) define(title, test);
  const { reopen } = options;
  if (reopen === undefined) return;
  define(
    "a second store over the same data sees what the first one saved, revoked and cleared",
    async (store) => {
      const [kept, revoked] = [grant("read"), grant("write")];
      await store.save(kept);
      await store.save(revoked);
      const second = await reopen(store);
      requireSame(await second.load(), [kept, revoked], "load() of the second store");
      await store.revoke(revoked.id);
      requireSame(await second.load(), [kept], "load() of the second store after a revoke in the first");
      await second.clear();
      requireSame(await store.load(), [], "load() of the first store after a clear in the second");
    },
  );
}
