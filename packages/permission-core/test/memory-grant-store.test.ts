import { describe, expect, it } from "vitest";
import { argsDigest } from "../src/args-digest.js";
import type { Grant } from "../src/grant.js";
import { createGrant } from "../src/grant-scope.js";
import { grantText } from "../src/grant-text.js";
import { MemoryGrantStore } from "../src/memory-grant-store.js";

const call = createGrant("t", "Allow", { this_call: { args: { list: [1] } } }, { createdAtMs: 1, note: "n" });
const tool = createGrant("t", "Deny", "this_tool", { createdAtMs: 2 });
const query = { tool: "t", args: { list: [1] }, argsDigest: argsDigest({ list: [1] }), nowMs: 0 };

/** Changes everything in a grant that a caller could get hold of. */
function spoil(grant: Grant | null | undefined): void {
  if (grant === null || grant === undefined) throw new Error("no grant");
  grant.tool = "spoilt";
  grant.verdict = "Deny";
  if (grant.scope !== "this_tool") grant.scope.this_call.args = "spoilt";
}

describe("MemoryGrantStore", () => {
  it("keeps insertion order and replaces whole and in place", async () => {
    const store = new MemoryGrantStore();
    await store.save({ ...call, pinned_descriptor: "aaaaaaaaaaaaaaaa", expires_at_ms: 5 });
    await store.save(tool);
    expect(await store.save(call)).toEqual(call);
    expect(await store.load()).toEqual([call, tool]);
  });

  it("starts with the grants it is given, the later of one id in the place of the earlier", async () => {
    const store = new MemoryGrantStore([{ ...call, note: "old" }, tool, call]);
    expect(await store.load()).toEqual([call, tool]);
  });

  it("finds what covers, revokes by id and counts what it clears", async () => {
    const store = new MemoryGrantStore([call, tool]);
    expect(await store.find(query)).toEqual([call, tool]);
    expect(await store.revoke("no-such-id")).toBeNull();
    expect(await store.revoke(call.id)).toEqual(call);
    expect(await store.find(query)).toEqual([tool]);
    expect(await store.clear()).toBe(1);
    expect(await store.clear()).toBe(0);
    expect(await store.load()).toEqual([]);
  });

  it("shares nothing with its callers", async () => {
    const initial = structuredClone(tool);
    const store = new MemoryGrantStore([initial]);
    spoil(initial);
    const given = structuredClone(call);
    spoil(await store.save(given).finally(() => spoil(given)));
    spoil((await store.load())[0]);
    spoil((await store.load())[1]);
    spoil((await store.find(query))[1]);
    expect(await store.load()).toEqual([tool, call]);
    spoil(await store.revoke(call.id));
    expect(await store.load()).toEqual([tool]);
  });

  it.each(["id", "tool", "note", "granted_by"])(
    "rejects half a character in %s, which no ledger could hold",
    async (field) => {
      const store = new MemoryGrantStore([tool]);
      const halved = { ...call, [field]: "\ud800" };
      await expect(store.save(halved)).rejects.toMatchObject({ code: "not_json" });
      expect(() => new MemoryGrantStore([halved])).toThrow(expect.objectContaining({ code: "not_json" }));
      expect(await store.loadTexts()).toEqual([grantText(tool)]);
    },
  );

  it("rejects what is no grant and keeps what it had", async () => {
    const store = new MemoryGrantStore([tool]);
    const refusal = { code: "bad_record", message: expect.stringContaining("grant.created_at_ms") };
    await expect(store.save({ ...tool, created_at_ms: -1 })).rejects.toMatchObject(refusal);
    expect(await store.load()).toEqual([tool]);
  });

  it("takes an id as it stands", async () => {
    const store = new MemoryGrantStore();
    expect(await store.save({ ...tool, id: "chosen" })).toMatchObject({ id: "chosen" });
    expect(await store.revoke("chosen")).toMatchObject({ id: "chosen" });
  });
});
