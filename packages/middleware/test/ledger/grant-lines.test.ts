import { grantStoreSuite } from "@x/conformance";
import { argsDigest, createGrant, MemoryGrantStore } from "@x/permission-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ledgerRig } from "./support/ledger-rig.js";

const args = { password: "hunter2" };

function rigWithStore(options: { includeInput?: boolean } = {}) {
  const rig = ledgerRig(options);
  const ledger = rig.open();
  const now = rig.clock.now();
  const details = { createdAtMs: now, grantedBy: "ann", note: "because" };
  return {
    ...rig,
    ledger,
    now,
    store: ledger.grantStore(new MemoryGrantStore()),
    byCall: createGrant(
      "t",
      "Allow",
      { this_call: { args } },
      { ...details, pinnedDescriptor: "ab".repeat(8) },
    ),
    expiring: createGrant("u", "Deny", "this_tool", { ...details, expiresAtMs: now + 100 }),
  };
}

const query = (nowMs: number) => ({ tool: "t", args, argsDigest: argsDigest(args), nowMs });

describe("a store of grants that a ledger watches", () => {
  it("has a line for each grant that was saved, revoked and cleared, and none for what changed nothing", async () => {
    const { store, ledger, byCall, expiring, lines, textOf, now } = rigWithStore();
    await store.save(byCall);
    await store.save(expiring);
    await store.find(query(now));
    await store.revoke(byCall.id);
    await store.revoke("nobody's");
    await store.clear();
    await ledger.close();
    const saved = {
      v: 1,
      type: "grant.saved",
      grant_id: byCall.id,
      tool: "t",
      verdict: "Allow",
      scope: "this_call",
      pinned_descriptor: "ab".repeat(8),
      pinned_fingerprint: null,
      created_at_ms: now,
      expires_at_ms: null,
      granted_by: "ann",
      ts: now,
    };
    expect(await lines()).toEqual([
      saved,
      expect.objectContaining({ type: "grant.saved", scope: "this_tool", expires_at_ms: now + 100 }),
      { ...saved, type: "grant.revoked" },
      { v: 1, type: "grant.cleared", count: 1, ts: now },
    ]);
    expect(textOf()).not.toMatch(/hunter2|because/);
  });

  it("records the arguments of a grant where the ledger records arguments", async () => {
    const { store, ledger, byCall, lines } = rigWithStore({ includeInput: true });
    await store.save(byCall);
    await ledger.close();
    expect(await lines()).toMatchObject([{ args }]);
  });

  it.each(["find", "load"] as const)(
    "says once that a grant has expired, when a %s comes after it",
    async (look) => {
      const { store, ledger, expiring, lines, clock } = rigWithStore();
      await store.save(expiring);
      const looks = () => (look === "find" ? store.find(query(clock.now())) : store.load());
      clock.advance(99);
      await looks();
      clock.advance(1);
      await looks();
      await looks();
      await ledger.close();
      expect((await lines()).map(({ type }) => type)).toEqual(["grant.saved", "grant.expired"]);
    },
  );

  it("says so of grants that were there before, and again of one that was saved anew", async () => {
    const { ledger, expiring, lines, clock } = rigWithStore();
    const store = ledger.grantStore(new MemoryGrantStore([expiring]));
    clock.advance(100);
    await store.load();
    await store.load();
    await store.save(expiring);
    await store.load();
    await ledger.close();
    expect((await lines()).map(({ type }) => type)).toEqual([
      "grant.expired",
      "grant.saved",
      "grant.expired",
    ]);
  });

  it("says nothing of a grant that was revoked, cleared or made lasting before it expired", async () => {
    const { store, ledger, expiring, lines, clock } = rigWithStore();
    const { expires_at_ms: _, ...lasting } = expiring;
    for (const end of [() => store.revoke(expiring.id), () => store.clear(), () => store.save(lasting)]) {
      await store.save(expiring);
      await end();
    }
    clock.advance(1_000);
    await store.load();
    await ledger.close();
    expect((await lines()).filter(({ type }) => type === "grant.expired")).toEqual([]);
  });

  it("fails as the store does, and then has no line", async () => {
    const { ledger, byCall, file } = rigWithStore();
    const broken = new MemoryGrantStore();
    broken.save = () => Promise.reject(new Error("down"));
    await expect(ledger.grantStore(broken).save(byCall)).rejects.toThrow("down");
    await ledger.close();
    expect(() => ledgerRig().textOf(file)).toThrow(/ENOENT/);
  });
});

describe("a watched store", () => {
  const create = () => {
    const ledger = ledgerRig().open();
    onTestFinished(() => ledger.close());
    return ledger.grantStore(new MemoryGrantStore());
  };
  grantStoreSuite({ it, create });
});
