import { createGrant, type Grant } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { CREATED_AT_MS, find, type GrantStoreTest, grant, NOW_MS, thisCall } from "./grant-samples.js";

/** What a store keeps, lists, replaces, removes and shares with nobody. By title. */
export const KEEPING: Readonly<Record<string, GrantStoreTest>> = {
  "an empty store lists, finds, revokes and clears nothing": async (store) => {
    requireSame(await store.load(), [], "load()");
    requireSame(await find(store, "read", {}), [], "find()");
    requireSame(await store.revoke("no-such-id"), null, "revoke() of an unknown id");
    requireSame(await store.clear(), 0, "clear()");
  },

  "gives a grant back as it was saved, unset options as null and additions left out": async (store) => {
    const plain = grant("read");
    const full = createGrant("deploy", "Deny", thisCall({ target: "/prod", tags: [1, null, "é"] }), {
      createdAtMs: CREATED_AT_MS,
      expiresAtMs: NOW_MS + 1,
      grantedBy: "ada",
      note: "not on Fridays",
      pinnedDescriptor: "0123456789abcdef",
      pinnedFingerprint: `sha256:${"ab".repeat(32)}`,
    });
    requireSame(await store.save(plain), plain, "save() of a plain grant");
    requireSame(await store.save(full), full, "save() of a grant with every option");
    requireSame(await store.load(), [plain, full], "load()");
    requireSame(await find(store, "deploy", { target: "/prod", tags: [1, null, "é"] }), [full], "find()");
  },

  "lists in insertion order": async (store) => {
    // Neither the order of the names nor that of the times.
    const saved = ["m", "z", "a", "k", "b"].map((tool, index) =>
      createGrant(tool, "Allow", "this_tool", { createdAtMs: CREATED_AT_MS - index }),
    );
    for (const item of saved) await store.save(item);
    requireSame(await store.load(), saved, "load()");
  },

  "saving a rule again replaces its entry whole and in place": async (store) => {
    const pinned = createGrant("read", "Allow", "this_tool", {
      createdAtMs: CREATED_AT_MS,
      note: "first",
      pinnedDescriptor: "aaaaaaaaaaaaaaaa",
      expiresAtMs: NOW_MS + 1,
    });
    const other = grant("write");
    const replacing = createGrant("read", "Allow", "this_tool", { createdAtMs: CREATED_AT_MS + 5 });
    await store.save(pinned);
    await store.save(other);
    requireSame(await store.save(replacing), replacing, "save() of the replacing grant");
    requireSame(
      await store.load(),
      [replacing, other],
      "load(): pin, note and expiry are gone, the place is kept",
    );
    requireSame(await find(store, "read", {}), [replacing], "find()");
  },

  "an allow and a deny of one scope are two entries": async (store) => {
    const [allow, deny] = [grant("read"), grant("read", { verdict: "Deny" })];
    await store.save(allow);
    await store.save(deny);
    requireSame(await store.load(), [allow, deny], "load()");
    requireSame(await find(store, "read", { path: "a" }), [allow, deny], "find()");
  },

  "revoke gives the grant removed, once, and leaves the others in their order": async (store) => {
    const [first, second, third] = [grant("a"), grant("b"), grant("c")];
    for (const item of [first, second, third]) await store.save(item);
    requireSame(await store.revoke(second.id), second, "revoke()");
    requireSame(await store.revoke(second.id), null, "revoke() again");
    requireSame(await store.load(), [first, third], "load()");
    requireSame(await find(store, "b", {}), [], "find() of the revoked grant");
    await store.save(second);
    requireSame(await store.load(), [first, third, second], "load() after it was saved again");
  },

  "clear gives the count, and the store goes on": async (store) => {
    for (const tool of ["a", "b", "c"]) await store.save(grant(tool));
    requireSame(await store.clear(), 3, "clear()");
    requireSame(await store.load(), [], "load()");
    requireSame(await find(store, "a", {}), [], "find()");
    const again = grant("b");
    await store.save(again);
    requireSame(await store.load(), [again], "load() after another save");
  },

  "what the caller does to a grant that it saved or got changes nothing": async (store) => {
    const saved = grant("read", { args: { list: [1] } });
    const handedIn = structuredClone(saved);
    spoil(await store.save(handedIn));
    spoil(handedIn);
    for (const item of await store.load()) spoil(item);
    for (const item of await find(store, "read", { list: [1] })) spoil(item);
    requireSame(await store.load(), [saved], "load()");
    requireSame(await find(store, "read", { list: [1] }), [saved], "find()");
    requireSame(await store.revoke(saved.id), saved, "revoke()");
  },
};

/** Changes whatever of the grant can be changed. */
function spoil(target: Grant): void {
  if (target.scope !== "this_tool") {
    const { args } = target.scope.this_call;
    if (typeof args === "object" && args !== null && !Array.isArray(args)) args["list"] = [2];
  }
  target.tool = "spoilt";
  target.verdict = "Deny";
}
