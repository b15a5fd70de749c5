import { argsDigest, createGrant, type JsonValue } from "@x/permission-core";
import { requireSame } from "../require-same.js";
import { CREATED_AT_MS, find, type GrantStoreTest, grant, NOW_MS, thisCall } from "./grant-samples.js";

/** Which grants cover a call. By title. */
export const FINDING: Readonly<Record<string, GrantStoreTest>> = {
  "a grant for a tool covers all its calls, and no other tool's": async (store) => {
    const saved = grant("read");
    await store.save(saved);
    for (const args of [{ path: "a" }, {}, [], null, "text", 0, false]) {
      requireSame(await find(store, "read", args), [saved], `find() with ${JSON.stringify(args)}`);
    }
    for (const tool of ["Read", "rea", "read ", "reads", ""]) {
      requireSame(await find(store, tool, {}), [], `find() for ${JSON.stringify(tool)}`);
    }
  },

  "a grant for a call covers it by canonical text": async (store) => {
    const saved = grant("deploy", { args: { b: 1, a: [{ d: 1, c: 2 }] } });
    await store.save(saved);
    requireSame(
      await find(store, "deploy", { a: [{ c: 2, d: 1 }], b: 1 }),
      [saved],
      "find() in another key order",
    );
    const others: JsonValue[] = [{ b: 1, a: [] }, { b: 1 }, { b: "1", a: [{ d: 1, c: 2 }] }, {}, null];
    for (const args of others)
      requireSame(await find(store, "deploy", args), [], `find() with ${JSON.stringify(args)}`);
    requireSame(await find(store, "other", { b: 1, a: [{ d: 1, c: 2 }] }), [], "find() for another tool");
  },

  "a grant for a call without an object covers that call alone": async (store) => {
    const saved = [null, [], {}, "", 0, false].map((args) => grant("deploy", { args }));
    for (const item of saved) await store.save(item);
    for (const [index, args] of [null, [], {}, "", 0, false].entries()) {
      requireSame(await find(store, "deploy", args), [saved[index]], `find() with ${JSON.stringify(args)}`);
    }
  },

  "goes by the text of the arguments, not by their digest alone": async (store) => {
    const saved = grant("deploy", { args: { target: "/a" } });
    await store.save(saved);
    const query = {
      tool: "deploy",
      args: { target: "/b" },
      argsDigest: argsDigest({ target: "/a" }),
      nowMs: NOW_MS,
    };
    requireSame(
      await store.find(query),
      [],
      "find() with other arguments under the digest of the granted ones",
    );
  },

  "finds in insertion order what covers a call, wide and narrow": async (store) => {
    const narrowDeny = grant("read", { args: { path: "a" }, verdict: "Deny" });
    const wide = grant("read");
    const narrow = grant("read", { args: { path: "a" } });
    for (const item of [narrowDeny, grant("write"), wide, narrow]) await store.save(item);
    requireSame(
      await find(store, "read", { path: "a" }),
      [narrowDeny, wide, narrow],
      "find() of the granted call",
    );
    requireSame(await find(store, "read", { path: "b" }), [wide], "find() of another call");
  },

  "leaves out a grant from the millisecond in which it expires": async (store) => {
    const allow = createGrant("read", "Allow", "this_tool", {
      createdAtMs: CREATED_AT_MS,
      expiresAtMs: NOW_MS,
    });
    const deny = createGrant("read", "Deny", thisCall({}), {
      createdAtMs: CREATED_AT_MS,
      expiresAtMs: NOW_MS + 1,
    });
    const forever = grant("read", { args: {} });
    for (const item of [allow, deny, forever]) await store.save(item);
    requireSame(await find(store, "read", {}, NOW_MS - 1), [allow, deny, forever], "find() before");
    requireSame(await find(store, "read", {}, NOW_MS), [deny, forever], "find() at the first one's end");
    requireSame(await find(store, "read", {}, NOW_MS + 1), [forever], "find() at the second one's end");
  },

  "a grant that is saved again without an expiry lives on": async (store) => {
    await store.save(
      createGrant("read", "Allow", "this_tool", { createdAtMs: CREATED_AT_MS, expiresAtMs: NOW_MS }),
    );
    const lasting = grant("read");
    await store.save(lasting);
    requireSame(
      await find(store, "read", {}, NOW_MS + 1_000_000),
      [lasting],
      "find() after the first expiry",
    );
  },

  "tools may be called like members of every object": async (store) => {
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "length", ""];
    for (const tool of names)
      requireSame(await find(store, tool, {}), [], `find() of ${JSON.stringify(tool)} in an empty store`);
    const saved = names.map((tool) => grant(tool, { args: {} }));
    for (const item of saved) await store.save(item);
    for (const [index, tool] of names.entries()) {
      requireSame(await find(store, tool, {}), [saved[index]], `find() of ${JSON.stringify(tool)}`);
    }
    requireSame(await store.load(), saved, "load()");
  },

  "an own __proto__ key in the arguments is an ordinary key": async (store) => {
    const args: JsonValue = JSON.parse('{"__proto__":{"allowed":true},"a":1}');
    const saved = grant("read", { args });
    await store.save(saved);
    requireSame(await find(store, "read", args), [saved], "find() with the key");
    requireSame(await find(store, "read", { a: 1 }), [], "find() without the key");
  },

  "names and arguments are told apart character by character": async (store) => {
    const composed = "caf\u00e9";
    const decomposed = "cafe\u0301";
    const cut = "read\u0000all";
    const saved = [
      grant(composed),
      grant(decomposed),
      grant(cut),
      grant("read", { args: { path: "😀:*?\u2028\n\u0000" } }),
    ];
    for (const item of saved) await store.save(item);
    requireSame(await find(store, composed, {}), [saved[0]], "find() of the composed name");
    requireSame(await find(store, decomposed, {}), [saved[1]], "find() of the decomposed name");
    requireSame(
      await find(store, "read", { path: "😀:*?\u2028\n\u0000" }),
      [saved[3]],
      "find() of unusual text",
    );
    requireSame(await find(store, cut, {}), [saved[2]], "find() of the name with a NUL in it");
    requireSame(await find(store, "read", {}), [], "find() of that name up to the NUL");
    requireSame(await store.load(), saved, "load()");
  },

  "finds one among many": async (store) => {
    const saved = Array.from({ length: 200 }, (_, index) => grant(`tool-${index % 10}`, { args: { index } }));
    for (const item of saved) await store.save(item);
    requireSame(await find(store, "tool-7", { index: 137 }), [saved[137]], "find()");
    requireSame(await find(store, "tool-7", { index: 138 }), [], "find() of another tool's call");
    requireSame(await store.load(), saved, "load()");
  },
};
