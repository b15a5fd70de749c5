import {
  createGrant,
  type Grant,
  type GrantScope,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { deferred, gateRig, gateSaying, INPUT, recordOf, turn } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("run?");
const THIS_CALL: GrantScope = { this_call: { args: INPUT } };
const DENIED = "denied by a remembered decision";

const allow = (scope: GrantScope, options: Parameters<typeof createGrant>[3] = {}) =>
  createGrant("t", "Allow", scope, options);
const deny = (scope: GrantScope, options: Parameters<typeof createGrant>[3] = {}) =>
  createGrant("t", "Deny", scope, options);

/** A gate that asks, with these grants, and a resolver that says no. */
function asking(...grants: Grant[]) {
  const resolver = scriptedResolver(["Deny"]);
  const gate = gateSaying(ASK).withGrants(new MemoryGrantStore(grants)).withAskResolver(resolver);
  return { gate, resolver };
}

describe("a remembered denial", () => {
  it.each<[string, GrantScope]>([
    ["of this call", THIS_CALL],
    ["of the tool", "this_tool"],
  ])("%s refuses before the check is asked", async (_, scope) => {
    let checks = 0;
    const grant = deny(scope);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => {
        checks++;
        return PermissionCheck.allow();
      })
      .withGrants(new MemoryGrantStore([grant]));
    const { invoke, inputs, warnings } = gateRig(gate);
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", grant.id, "grant", DENIED));
    expect(result.output).toBe(`Permission ${DENIED} for tool 't'`);
    expect({ checks, inputs }).toEqual({ checks: 0, inputs: [] });
    expect(warnings()).toHaveLength(1);
  });

  it("holds whatever it is pinned to", async () => {
    const grant = deny(THIS_CALL, { pinnedDescriptor: "0".repeat(16), pinnedFingerprint: "sha256:other" });
    const result = await gateRig(
      PermissionMiddleware.allowAll().withGrants(new MemoryGrantStore([grant])),
    ).invoke();
    expect(result.gate?.rule_id).toBe(grant.id);
  });

  it("wins over a remembered approval of the same call", async () => {
    const { gate, resolver } = asking(allow(THIS_CALL), deny("this_tool"));
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("deny");
    expect(resolver.asks).toEqual([]);
  });

  it("ends at its time, at the very millisecond", async () => {
    const { clock } = gateRig([]);
    const now = clock.now();
    for (const [expiresAtMs, verdict] of [
      [now + 1, "deny"],
      [now, "allow"],
    ] as const) {
      const store = new MemoryGrantStore([deny(THIS_CALL, { expiresAtMs })]);
      const result = await gateRig(PermissionMiddleware.allowAll().withGrants(store)).invoke();
      expect(result.gate?.verdict).toBe(verdict);
    }
  });

  it("of other arguments or of another tool says nothing", async () => {
    const other = deny({ this_call: { args: { path: "/tmp/y" } } });
    const store = new MemoryGrantStore([other, createGrant("T", "Deny", "this_tool")]);
    const result = await gateRig(PermissionMiddleware.allowAll().withGrants(store)).invoke();
    expect(result.gate?.verdict).toBe("allow");
  });

  it("that is saved while the check decides still refuses the question", async () => {
    const store = new MemoryGrantStore();
    const check = deferred<PermissionCheck>();
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => check.promise)
      .withGrants(store)
      .withAskResolver(resolver);
    const { invoke } = gateRig(gate);
    const running = invoke();
    await turn();
    await store.save(deny(THIS_CALL));
    check.resolve(ASK);
    expect((await running).gate?.verdict).toBe("deny");
    expect(resolver.asks).toEqual([]);
  });
});

describe("a remembered approval", () => {
  it.each<[string, GrantScope]>([
    ["of this call", THIS_CALL],
    ["of the tool", "this_tool"],
  ])("%s answers a question, without a prompt", async (_, scope) => {
    const grant = allow(scope);
    const { gate, resolver } = asking(grant);
    const { invoke, inputs } = gateRig(gate);
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("allow", grant.id, "grant"));
    expect(result.trail).toEqual([result.gate]);
    expect(inputs).toEqual([INPUT]);
    expect(resolver.asks).toEqual([]);
  });

  it("answers also where there is nobody to ask", async () => {
    const store = new MemoryGrantStore([allow(THIS_CALL)]);
    const { invoke } = gateRig(gateSaying(ASK).withGrants(store));
    expect((await invoke({ toolContext: { isNonInteractive: true } })).output).toBe("ran");
  });

  it("lifts no denial", async () => {
    const store = new MemoryGrantStore([allow("this_tool")]);
    expect((await gateRig(PermissionMiddleware.denyAll().withGrants(store)).invoke()).gate?.verdict).toBe(
      "deny",
    );
  });

  it("answers by canonical text: key order does not matter, spelling of strings does", async () => {
    const store = new MemoryGrantStore([allow({ this_call: { args: { a: 1, b: "x" } } })]);
    const { invoke } = gateRig(gateSaying(ASK).withGrants(store));
    expect((await invoke({ input: { b: "x", a: 1 } })).gate?.verdict).toBe("allow");
    expect((await invoke({ input: { b: "X", a: 1 } })).gate?.verdict).toBe("ask_unresolved");
  });

  it("is found by the input as it stands at the gate", async () => {
    const store = new MemoryGrantStore([allow({ this_call: { args: { path: "/safe" } } })]);
    const rewriting = gateSaying(PermissionCheck.modify({ path: "/safe" }));
    const result = await gateRig([rewriting, gateSaying(ASK).withGrants(store)]).invoke();
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["allow_modified", "allow"]);
  });

  it("that ends while it is being looked up does not answer", async () => {
    const { gate } = asking();
    const found = deferred<Grant[]>();
    const rig = gateRig(
      gate.withGrants(Object.assign(new MemoryGrantStore(), { find: () => found.promise })),
    );
    const running = rig.invoke();
    await turn();
    rig.clock.advance(1_000);
    found.resolve([allow(THIS_CALL, { expiresAtMs: rig.clock.now() - 1 })]);
    expect((await running).gate?.verdict).toBe("ask_denied");
  });
});
