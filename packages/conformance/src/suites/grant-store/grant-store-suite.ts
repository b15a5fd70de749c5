import type { Awaitable, GrantStore } from "@x/permission-core";
import type { DefineTest } from "../../describe-vectors.js";
import { FINDING } from "./grant-finding.js";
import { IDS } from "./grant-ids.js";
import { KEEPING } from "./grant-keeping.js";
import { OVERLAPPING } from "./grant-overlapping.js";
import { SHARING } from "./grant-sharing.js";

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
  for (const [title, test] of Object.entries({ ...KEEPING, ...IDS, ...FINDING, ...OVERLAPPING }))
    define(title, test);
  const { reopen } = options;
  if (reopen === undefined) return;
  for (const [title, test] of Object.entries(SHARING)) {
    define(title, async (store) => test(store, await reopen(store)));
  }
}
