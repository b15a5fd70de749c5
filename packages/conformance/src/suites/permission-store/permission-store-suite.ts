import type { Awaitable, PermissionStore } from "@x/permission-core";
import type { DefineTest } from "../../describe-vectors.js";
import { requireSame } from "../require-same.js";
import { KEEPING } from "./rule-keeping.js";
import { learnedRule, learnedRules, record } from "./rule-samples.js";
import { SESSIONS } from "./rule-sessions.js";

export interface PermissionStoreSuiteOptions<Store extends PermissionStore> {
  it: DefineTest;
  /** A fresh, empty store: once for each test. */
  create(): Awaitable<Store>;
  /** A second store over the same data. Left out: the data lives and dies with the store. */
  reopen?(store: Store): Awaitable<Store>;
  /** How many rules a session keeps; what comes when it is full is dropped. At least 20. Left out: no limit is tested. */
  mostRules?: number;
  /** Called after each test, also a failed one. */
  cleanUp?(store: Store): Awaitable<void>;
}

/** Defines the tests that every {@link PermissionStore} must pass. */
export function permissionStoreSuite<Store extends PermissionStore>(
  options: PermissionStoreSuiteOptions<Store>,
): void {
  const { mostRules, reopen } = options;
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
  for (const [title, test] of Object.entries({ ...KEEPING, ...SESSIONS })) define(title, test);

  if (mostRules !== undefined) {
    define(`drops what comes after ${mostRules} rules, in one session alone`, (store) =>
      fill(store, mostRules),
    );
  }
  if (reopen !== undefined) {
    define(
      "a second store over the same data has the rules of the first, and forgets for both",
      async (store) => {
        const rules = learnedRules(3);
        await record(store, "s", rules);
        const second = await reopen(store);
        requireSame(await second.rules("s"), rules, "rules() of the second store");
        await second.forget("s");
        requireSame(await store.rules("s"), [], "rules() of the first store after forget() in the second");
      },
    );
  }
}

async function fill(store: PermissionStore, mostRules: number): Promise<void> {
  const kept = learnedRules(mostRules);
  const [newest, other] = [learnedRule("Write", "newest"), learnedRule("Read", "other")];
  // The rules that are known already take no room.
  await record(store, "full", [...kept.slice(0, 5), ...kept, newest, ...kept.slice(0, 5), other]);
  requireSame(await store.rules("full"), kept, "rules() of the full session");
  await store.record("another", newest);
  requireSame(await store.rules("another"), [newest], "rules() of another session");
  await store.forget("full");
  await store.record("full", newest);
  requireSame(await store.rules("full"), [newest], "rules() after forget()");
}
