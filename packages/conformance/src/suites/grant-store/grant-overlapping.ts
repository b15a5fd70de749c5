import { requireSame } from "../require-same.js";
import { find, type GrantStoreTest, grant } from "./grant-samples.js";

/** Operations that are under way at once. By title. */
export const OVERLAPPING: Readonly<Record<string, GrantStoreTest>> = {
  "saves that overlap lose nothing": async (store) => {
    const saved = Array.from({ length: 20 }, (_, index) => grant(`tool-${String(index).padStart(2, "0")}`));
    await Promise.all(saved.map((item) => store.save(item)));
    const tools = (await store.load()).map(({ tool }) => tool).sort();
    requireSame(tools, saved.map(({ tool }) => tool).sort(), "the tools that load() names");
  },

  "saves of one rule that overlap leave one entry": async (store) => {
    const notes = Array.from({ length: 10 }, (_, index) => `note ${index}`);
    await Promise.all(notes.map((note) => store.save({ ...grant("read"), note })));
    const kept = await store.load();
    requireSame(kept.length, 1, "the number of grants that load() gives");
    requireSame(notes.includes(kept[0]?.note ?? ""), true, "whether the entry is one of those saved");
    requireSame(await find(store, "read", {}), kept, "find()");
  },

  "revokes that overlap give the grant to one": async (store) => {
    const [revoked, other] = [grant("read"), grant("write")];
    await store.save(revoked);
    await store.save(other);
    const given = await Promise.all([1, 2, 3, 4].map(() => store.revoke(revoked.id)));
    requireSame(
      given.filter((item) => item !== null),
      [revoked],
      "what revoke() gave but null",
    );
    requireSame(await store.load(), [other], "load()");
  },
};
