import type { GrantStore } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { find, grant } from "./grant-samples.js";

/** What two stores over the same data make of each other. By title. */
export const SHARING: Readonly<Record<string, (first: GrantStore, second: GrantStore) => Promise<void>>> = {
  "a second store over the same data sees what the first one saved, revoked and cleared": async (
    first,
    second,
  ) => {
    const [kept, revoked] = [grant("read"), grant("write")];
    await first.save(kept);
    await first.save(revoked);
    requireSame(await second.load(), [kept, revoked], "load() of the second store");
    requireSame(await find(second, "write", {}), [revoked], "find() of the second store");
    await first.revoke(revoked.id);
    requireSame(await second.load(), [kept], "load() of the second store after a revoke in the first");
    requireSame(await find(second, "write", {}), [], "find() of the second store after the revoke");
    await second.clear();
    requireSame(await first.load(), [], "load() of the first store after a clear in the second");
    requireSame(await find(first, "read", {}), [], "find() of the first store after the clear");
  },

  "two stores over the same data keep one order, and replace in place what the other saved": async (
    first,
    second,
  ) => {
    const saved = ["m", "z", "a", "k"].map((tool) => grant(tool));
    for (const [index, item] of saved.entries()) await (index % 2 === 0 ? first : second).save(item);
    const replacing = { ...grant("z"), note: "replaced" };
    await first.save(replacing);
    for (const store of [first, second]) {
      const [m, , a, k] = saved;
      requireSame(await store.load(), [m, replacing, a, k], "load()");
      requireSame(await find(store, "z", {}), [replacing], "find()");
    }
  },

  "saves that overlap in two stores over the same data lose nothing": async (first, second) => {
    const saved = Array.from({ length: 20 }, (_, index) => grant(`tool-${String(index).padStart(2, "0")}`));
    await Promise.all(saved.map((item, index) => (index % 2 === 0 ? first : second).save(item)));
    for (const store of [first, second]) {
      const tools = (await store.load()).map(({ tool }) => tool).sort();
      requireSame(tools, saved.map(({ tool }) => tool).sort(), "the tools that load() names");
    }
  },
};
