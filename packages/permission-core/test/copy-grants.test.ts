import { describe, expect, it } from "vitest";
import { argsDigest } from "../src/args-digest.js";
import { copyGrants } from "../src/copy-grants.js";
import type { Grant, GrantStore } from "../src/grant.js";
import { createGrant } from "../src/grant-scope.js";
import { grantText } from "../src/grant-text.js";
import type { GrantTexts } from "../src/grant-texts.js";
import { MemoryGrantStore } from "../src/memory-grant-store.js";

const wide = createGrant("read", "Allow", "this_tool", { createdAtMs: 1, note: "n" });
const narrow = createGrant(
  "read",
  "Deny",
  { this_call: { args: { b: [1, "é"], a: null } } },
  { createdAtMs: 2 },
);
const other = createGrant("write", "Allow", "this_tool", {
  createdAtMs: 3,
  expiresAtMs: 9,
  grantedBy: "ada",
});

const foreign = `{"x":1,${grantText({ ...other, id: "unknown-field" }).slice(1)}`;
const inCall = grantText({ ...narrow, id: "in-call" }).replace('"args":', '"later":true,"args":');
const inexact = grantText({ ...narrow, id: "foreign-number" }).replace("[1,", "[1.0,");

/** A store without texts. */
function plain(kept = new MemoryGrantStore()): GrantStore {
  return {
    load: () => kept.load(),
    find: (query) => kept.find(query),
    save: (grant) => kept.save(grant),
    revoke: (id) => kept.revoke(id),
    clear: () => kept.clear(),
  };
}

/** A store whose texts are these, whatever they are. */
function holding(...texts: string[]): GrantStore & GrantTexts {
  const none = () => Promise.reject(new Error("not asked for here"));
  return { ...plain(), save: none, loadTexts: async () => texts, saveText: none };
}

function thrower(): never {
  throw new Error("not to be read");
}

const quiet = () => new MemoryGrantStore([], { onReport: () => {} });

describe("copyGrants", () => {
  it("copies every grant in order, replaces those of the same id in place, and leaves others", async () => {
    for (const from of [
      new MemoryGrantStore([wide, narrow, other]),
      plain(new MemoryGrantStore([wide, narrow, other])),
    ]) {
      const mine = createGrant("mine", "Deny", "this_tool", { createdAtMs: 4 });
      const to = new MemoryGrantStore([{ ...narrow, note: "old" }, mine]);
      expect(await copyGrants(from, to)).toEqual({ copied: 3, losses: [] });
      expect(await to.load()).toEqual([narrow, mine, wide, other]);
    }
  });

  it("copies into a store without texts what is said by known fields alone", async () => {
    const to = plain();
    const spaced = grantText(narrow).replaceAll(":", ": ");
    expect(await copyGrants(holding(grantText(wide), spaced), to)).toEqual({ copied: 2, losses: [] });
    expect(await to.load()).toEqual([wide, narrow]);
  });

  it("keeps every byte between stores that keep texts, and what a grant covers", async () => {
    const texts = [foreign, ` ${inexact.replace(",", " ,")}`.trim(), grantText(wide), inCall];
    const reports: string[] = [];
    const to = new MemoryGrantStore([], { onReport: ({ message }) => reports.push(message) });
    expect(await copyGrants(holding(...texts), to)).toEqual({ copied: 4, losses: [] });
    expect(await to.loadTexts()).toEqual(texts);
    const args = { b: [1, "é"], a: null };
    const found = await to.find({ tool: "read", args, argsDigest: argsDigest(args), nowMs: 0 });
    expect(found.map(({ id }) => id)).toEqual([wide.id, "in-call"]);
    expect(reports).toEqual([expect.stringContaining("foreign-number covers no call")]);
  });

  it.each([
    ["numbers that JavaScript spells differently", [inexact], "foreign-number has numbers"],
    ["fields that the target cannot hold", [foreign], "unknown-field has the unknown fields x"],
    ["such fields in a scope", [inCall], "in-call has the unknown fields scope.this_call.later"],
  ])("refuses %s by name, and copies nothing, into a store without texts", async (_, texts, named) => {
    const to = plain();
    const refusal = { code: "bad_record", message: expect.stringContaining(named) };
    await expect(copyGrants(holding(grantText(wide), ...texts), to)).rejects.toMatchObject(refusal);
    expect(await to.load()).toEqual([]);
  });

  it.each([
    ["an entry that is no grant", '{"id":"odd","tool":1}', "odd is no grant: grant.tool"],
    ["an entry without an id", '{"tool":"read"}', "entry 2 is no grant"],
    [
      "an entry with a field twice",
      grantText(wide).replace("{", '{"tool":"a",'),
      `${wide.id} is no grant: tool`,
    ],
    ["what is no JSON", "{", "entry 2 is no grant: the entry is not JSON"],
    [
      "a second entry of an id",
      grantText({ ...narrow, verdict: "Allow", id: other.id }),
      `${other.id} stands behind`,
    ],
    [
      "half a character",
      grantText({ ...wide, id: "half" }).replace('"read"', '"\\ud800"'),
      "half is no grant",
    ],
  ])("refuses %s by name, and copies nothing, into any store", async (_, text, named) => {
    for (const to of [quiet(), plain()]) {
      const refusal = { code: "bad_record", message: expect.stringContaining(named) };
      await expect(copyGrants(holding(grantText(other), text), to)).rejects.toMatchObject(refusal);
      expect(await to.load()).toEqual([]);
    }
  });

  it.each(["note", "granted_by", "pinned_descriptor", "pinned_fingerprint"])(
    "refuses an escape for half a character in %s by name into a store without texts alone",
    async (field) => {
      const escaped = grantText({ ...narrow, id: "half", [field]: "half" }).replace(
        `"${field}":"half"`,
        `"${field}":"\\ud800"`,
      );
      const from = holding(grantText(wide), escaped, grantText(other));
      const to = plain();
      await expect(copyGrants(from, to)).rejects.toMatchObject({
        code: "bad_record",
        message: expect.stringContaining(
          `half cannot be saved: Not a JSON value: a lone surrogate at $.${field}`,
        ),
      });
      expect(await to.load()).toEqual([]);
      expect(await copyGrants(from, to, { lossy: true })).toMatchObject({
        copied: 2,
        losses: [{ id: "half", entry: 2, what: "left out" }],
      });
      expect(await to.load()).toEqual([wide, other]);
      const keeping = quiet();
      expect(await copyGrants(from, keeping)).toEqual({ copied: 3, losses: [] });
      expect(await keeping.loadTexts()).toEqual([grantText(wide), escaped, grantText(other)]);
    },
  );

  it("copies the rest where losses are allowed, and tells them", async () => {
    const to = plain();
    const texts = [foreign, "null", inexact, grantText(wide), grantText({ ...wide, verdict: "Deny" })];
    expect(await copyGrants(holding(...texts), to, { lossy: true })).toEqual({
      copied: 2,
      losses: [
        { id: "unknown-field", entry: 1, what: "fields lost", reason: "has the unknown fields x" },
        { id: null, entry: 2, what: "left out", reason: expect.stringContaining("is no grant") },
        { id: "foreign-number", entry: 3, what: "left out", reason: expect.stringContaining("has numbers") },
        { id: wide.id, entry: 5, what: "left out", reason: expect.stringContaining("stands behind another") },
      ],
    });
    expect(await to.load()).toEqual([{ ...other, id: "unknown-field" }, wide]);
  });

  it("copies no entry that stands behind another of its id, also where that one is left out", async () => {
    const to = plain();
    const denied = grantText({ ...wide, verdict: "Deny", note: "half" }).replace("half", "\\ud800");
    const { copied, losses } = await copyGrants(holding(denied, grantText(wide)), to, { lossy: true });
    expect(copied).toBe(0);
    expect(losses).toMatchObject([
      { entry: 1, reason: expect.stringContaining("cannot be saved") },
      { entry: 2, reason: expect.stringContaining("stands behind another") },
    ]);
    expect(await to.load()).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ["an unknown field", { ...wide, only_on: "monday" }, `${wide.id} has the unknown fields only_on`],
    [
      "a second tag of a scope",
      { ...narrow, scope: { this_call: { args: {} }, only_on: "monday" } },
      `${narrow.id} is no grant: grant.scope`,
    ],
    [
      "an unknown field in a scope",
      { ...narrow, scope: { this_call: { args: {}, until: 5 } } },
      `${narrow.id} has the unknown fields scope.this_call.until`,
    ],
    ["a verdict that there is not", { ...wide, verdict: "Maybe" }, `${wide.id} is no grant: grant.verdict`],
    ["half a character", { ...wide, note: "\ud800" }, `${wide.id} is no grant: Not a JSON value`],
    ["what JSON cannot hold", { ...wide, note: () => "n" }, `${wide.id} is no grant: Not a JSON value`],
    ["a getter that throws", Object.defineProperty({}, "id", { enumerable: true, get: thrower }), "entry 2"],
    ["nothing", null, "entry 2 is no grant"],
    ["a gap", undefined, "entry 2 is no grant"],
    ["a second entry of an id", { ...other, note: "later" }, `${other.id} stands behind another`],
  ])("refuses %s by name, and copies nothing, from a store without texts", async (_, loaded, named) => {
    for (const to of [quiet(), plain()]) {
      const from = { ...plain(), load: async () => [other, loaded] as Grant[] };
      const refusal = { code: "bad_record", message: expect.stringContaining(named) };
      await expect(copyGrants(from, to)).rejects.toMatchObject(refusal);
      expect(await to.load()).toEqual([]);
      const { copied, losses } = await copyGrants(from, to, { lossy: true });
      expect(losses).toMatchObject([{ entry: 2 }]);
      expect(copied).toBe(losses[0]?.what === "fields lost" ? 2 : 1);
      expect(JSON.stringify(await to.load())).not.toMatch(/monday|until|later/);
    }
  });

  it("reads each field of what a store gives once", async () => {
    let verdict: "Allow" | "Deny" = "Allow";
    const shifty = Object.defineProperty({ ...wide }, "verdict", {
      enumerable: true,
      get: () => {
        verdict = verdict === "Allow" ? "Deny" : "Allow";
        return verdict;
      },
    });
    const to = quiet();
    await copyGrants({ ...plain(), load: async () => [shifty] }, to);
    expect(await to.loadTexts()).toEqual([grantText({ ...wide, verdict: "Deny" })]);
  });

  it("passes on what a store rejects with", async () => {
    const to = quiet();
    const full = new Error("full");
    to.saveText = () => Promise.reject(full);
    await expect(copyGrants(new MemoryGrantStore([wide]), to)).rejects.toBe(full);
  });

  it("shows ids so that they cannot pass for something else", async () => {
    const text = grantText({ ...wide, id: "a\nb\u202e" }).replace('"Allow"', '"Maybe"');
    await expect(copyGrants(holding(text), quiet())).rejects.toThrow("a\\nb\\u{202e} is no grant");
  });
});

describe("a store in memory that was given a text", () => {
  it("keeps it until the grant is saved or given anew", async () => {
    const store = quiet();
    expect(await store.saveText(foreign)).toEqual({ ...other, id: "unknown-field" });
    expect(await store.loadTexts()).toEqual([foreign]);
    await store.save({ ...other, id: "unknown-field" });
    expect(await store.loadTexts()).toEqual([grantText({ ...other, id: "unknown-field" })]);
  });

  it.each([
    ["{", "bad_json"],
    ["[]", "bad_record"],
    [grantText(wide).replace("{", '{"id":"twice",'), "bad_record"],
    [grantText(wide).replace(wide.id, "\ud800"), "not_json"],
  ])("refuses %j and keeps what it had", async (text, code) => {
    const store = new MemoryGrantStore([wide]);
    await expect(store.saveText(text)).rejects.toMatchObject({ code });
    expect(await store.load()).toEqual([wide]);
  });
});
