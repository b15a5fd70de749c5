import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { MemoizeMiddleware, PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, recordOf } from "../support/gate-rig.js";

const readOnly = { tool: { readOnly: true } };

describe("a cache inside the gate", () => {
  it("serves a repeated call, with the gate's record of that call", async () => {
    const { invoke, inputs } = gateRig([PermissionMiddleware.allowAll(), new MemoizeMiddleware()], readOnly);
    expect(await invoke()).toMatchObject({ output: "ran", cached: false });
    expect(await invoke({ callId: "c2" })).toMatchObject({
      callId: "c2",
      output: "ran",
      cached: true,
      durationMs: 0,
      gate: recordOf("allow", "middleware", "middleware"),
    });
    expect(inputs).toHaveLength(1);
  });

  it("serves nothing that the gate denies by now", async () => {
    const store = new MemoryGrantStore();
    const gate = PermissionMiddleware.allowAll().withGrants(store);
    const { invoke } = gateRig([gate, new MemoizeMiddleware()], readOnly);
    await invoke();
    await store.save(createGrant("t", "Deny", "this_tool"));
    expect(await invoke()).toMatchObject({ cached: false, isError: true, gate: { verdict: "deny" } });
  });

  it("is asked about at every call, and keeps no refusal", async () => {
    const resolver = scriptedResolver(["Deny", "Approve", "Approve"]);
    const gate = gateSaying(PermissionCheck.ask("run?")).withAskResolver(resolver);
    const { invoke, inputs } = gateRig([gate, new MemoizeMiddleware()], readOnly);
    expect((await invoke()).isError).toBe(true);
    expect((await invoke()).cached).toBe(false);
    expect(await invoke()).toMatchObject({ cached: true, gate: { verdict: "ask_allowed" } });
    expect(resolver.asks).toHaveLength(3);
    expect(inputs).toHaveLength(1);
  });

  it("keeps by the input as it stands there: two calls rewritten to one are one", async () => {
    const gate = gateSaying(PermissionCheck.modify({ path: "/safe" }));
    const { invoke, inputs } = gateRig([gate, new MemoizeMiddleware()], readOnly);
    await invoke({ input: { path: "/a" } });
    expect(await invoke({ input: { path: "/b" } })).toMatchObject({
      cached: true,
      gate: { verdict: "allow_modified" },
    });
    expect(inputs).toEqual([{ path: "/safe" }]);
  });

  it("runs a tool that may change something every time", async () => {
    const { invoke, inputs } = gateRig([PermissionMiddleware.allowAll(), new MemoizeMiddleware()]);
    await invoke();
    expect((await invoke()).cached).toBe(false);
    expect(inputs).toHaveLength(2);
  });

  it("keeps sessions apart", async () => {
    const { invoke, inputs } = gateRig([PermissionMiddleware.allowAll(), new MemoizeMiddleware()], readOnly);
    for (const sessionId of ["one", "two", "one"]) await invoke({ toolContext: { sessionId } });
    expect(inputs).toHaveLength(2);
  });

  it("serves nothing to a call that was cancelled", async () => {
    const { invoke } = gateRig([PermissionMiddleware.allowAll(), new MemoizeMiddleware()], readOnly);
    await invoke();
    expect(await invoke({ signal: AbortSignal.abort() })).toMatchObject({
      cached: false,
      errorKind: "cancelled",
    });
  });
});

describe("a cache outside the gate, where that was said to be meant", () => {
  it("brings no record of its own with a hit", async () => {
    const cache = new MemoizeMiddleware({ unsafeOutsideGate: true });
    const { invoke, inputs } = gateRig([cache, PermissionMiddleware.allowAll()], readOnly);
    expect((await invoke()).trail).toHaveLength(1);
    expect(await invoke()).toMatchObject({ cached: true, gate: null, trail: [] });
    expect(inputs).toHaveLength(1);
  });

  it("leaves the record of a gate further outside", async () => {
    const cache = new MemoizeMiddleware({ unsafeOutsideGate: true });
    const outer = PermissionMiddleware.fromContext().withNamedCheck("outer", () => PermissionCheck.allow());
    const { invoke } = gateRig([outer, cache, PermissionMiddleware.allowAll()], readOnly);
    await invoke();
    expect(await invoke()).toMatchObject({ cached: true, trail: [recordOf("allow", "outer", "middleware")] });
  });
});
