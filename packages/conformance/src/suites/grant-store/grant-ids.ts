import type { Grant } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { find, type GrantStoreTest, grant } from "./grant-samples.js";

/** What an id is to a store: any text, under which there is one entry. By title. */
export const IDS: Readonly<Record<string, GrantStoreTest>> = {
  "keeps an id as it stands, and goes by it": async (store) => {
    const foreign: Grant = { ...grant("read"), id: "minted elsewhere: ü" };
    await store.save(foreign);
    requireSame(await store.load(), [foreign], "load()");
    requireSame(await store.revoke(foreign.id), foreign, "revoke()");
    requireSame(await store.load(), [], "load() after the revoke");
  },

  "ids may be any text, the names of members of every object too": async (store) => {
    const ids = ["__proto__", "constructor", "toString", "length", "", "a", "a\u0000b"];
    for (const id of ids)
      requireSame(await store.revoke(id), null, `revoke() of ${JSON.stringify(id)} in an empty store`);
    const saved = ids.map((id): Grant => ({ ...grant(`tool of ${id}`), id }));
    for (const item of saved) await store.save(item);
    requireSame(await store.load(), saved, "load()");
    for (const item of saved)
      requireSame(await store.revoke(item.id), item, `revoke() of ${JSON.stringify(item.id)}`);
    requireSame(await store.load(), [], "load() when all are revoked");
  },

  "a grant saved under an id that is taken replaces what had it, whatever either says": async (store) => {
    const wide: Grant = { ...grant("read"), id: "taken" };
    const narrow: Grant = { ...grant("write", { args: { path: "a" }, verdict: "Deny" }), id: "taken" };
    for (const item of [wide, grant("other"), narrow]) await store.save(item);
    requireSame(await store.load(), [narrow, grant("other")], "load()");
    requireSame(await find(store, "read", {}), [], "find() of what the replaced grant covered");
    requireSame(await find(store, "write", { path: "a" }), [narrow], "find() of what the new one covers");
    requireSame(await find(store, "write", {}), [], "find() of what neither covers");
  },
};
