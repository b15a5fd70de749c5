import {
  type Awaitable,
  argsDigest,
  createGrant,
  type Grant,
  type GrantStore,
  type JsonValue,
} from "@x/permission-core";
import type { DefineTest } from "../describe-vectors.js";
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

type StoreTest<Store> = (store: Store) => Promise<void>;

const CREATED_AT_MS = 1_700_000_000_000;
const NOW_MS = CREATED_AT_MS + 1000;

/** Defines the tests that every {@link GrantStore} must pass. Times are given, so no clock is looked at. */
export function grantStoreSuite<Store extends GrantStore>(options: GrantStoreSuiteOptions<Store>): void {
  const define = (title: string, test: StoreTest<Store>) => {
    options.it(title, async () => {
      const store = await options.create();
      try {
        await test(store);
      } finally {
        await options.cleanUp?.(store);
      }
    });
  };
  for (const [title, test] of Object.entries(LISTING)) define(title, test);
  for (const [title, test] of Object.entries(FINDING)) define(title, test);
  for (const [title, test] of Object.entries(ISOLATION)) define(title, test);
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

const LISTING: Record<string, StoreTest<GrantStore>> = {
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

  "keeps an id as it stands, and goes by it": async (store) => {
    const foreign: Grant = { ...grant("read"), id: "minted elsewhere: ü" };
    await store.save(foreign);
    requireSame(await store.load(), [foreign], "load()");
    requireSame(await store.revoke(foreign.id), foreign, "revoke()");
    requireSame(await store.load(), [], "load() after the revoke");
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

  "saves that overlap lose nothing": async (store) => {
    const saved = Array.from({ length: 20 }, (_, index) => grant(`tool-${String(index).padStart(2, "0")}`));
    await Promise.all(saved.map((item) => store.save(item)));
    const tools = (await store.load()).map(({ tool }) => tool).sort();
    requireSame(tools, saved.map(({ tool }) => tool).sort(), "the tools that load() names");
  },
};

const FINDING: Record<string, StoreTest<GrantStore>> = {
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
    const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "length"];
    for (const tool of names)
      requireSame(await find(store, tool, {}), [], `find() of ${tool} in an empty store`);
    const saved = names.map((tool) => grant(tool, { args: {} }));
    for (const item of saved) await store.save(item);
    for (const [index, tool] of names.entries()) {
      requireSame(await find(store, tool, {}), [saved[index]], `find() of ${tool}`);
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
    const saved = [
      grant(composed),
      grant(decomposed),
      grant("read", { args: { path: "😀:*?\u2028\n\u0000" } }),
    ];
    for (const item of saved) await store.save(item);
    requireSame(await find(store, composed, {}), [saved[0]], "find() of the composed name");
    requireSame(await find(store, decomposed, {}), [saved[1]], "find() of the decomposed name");
    requireSame(
      await find(store, "read", { path: "😀:*?\u2028\n\u0000" }),
      [saved[2]],
      "find() of unusual text",
    );
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

const ISOLATION: Record<string, StoreTest<GrantStore>> = {
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

function grant(tool: string, options: { verdict?: Grant["verdict"]; args?: JsonValue } = {}): Grant {
  const scope = options.args === undefined ? "this_tool" : thisCall(options.args);
  return createGrant(tool, options.verdict ?? "Allow", scope, { createdAtMs: CREATED_AT_MS });
}

function thisCall(args: JsonValue): Grant["scope"] {
  return { this_call: { args } };
}

function find(store: GrantStore, tool: string, args: JsonValue, nowMs: number = NOW_MS): Promise<Grant[]> {
  return store.find({ tool, args, argsDigest: argsDigest(args), nowMs });
}

/** Changes whatever of the grant can be changed. */
function spoil(target: Grant): void {
  if (target.scope !== "this_tool") {
    const { args } = target.scope.this_call;
    if (typeof args === "object" && args !== null && !Array.isArray(args)) args["list"] = [2];
  }
  target.tool = "spoilt";
  target.verdict = "Deny";
}
