import {
  createGrant,
  descriptorDigest,
  descriptorFingerprint,
  type Grant,
  type GrantScope,
  type GrantStore,
  type JsonValue,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("run?");
const THIS_CALL: GrantScope = { this_call: { args: INPUT } };
const descriptor = { name: "t", description: "Says that it ran", inputSchema: {} };

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

describe("the pin of a remembered approval", () => {
  const digest = descriptorDigest(descriptor);
  const fingerprint = descriptorFingerprint(descriptor);

  it.each<[string, Parameters<typeof createGrant>[3]]>([
    ["is missing", {}],
    ["is the descriptor's digest", { pinnedDescriptor: digest }],
    ["is digest and fingerprint", { pinnedDescriptor: digest, pinnedFingerprint: fingerprint }],
  ])("holds where it %s", async (_, options) => {
    const { gate, resolver } = asking(allow(THIS_CALL, options));
    expect((await gateRig(gate).invoke()).gate?.rule_source).toBe("grant");
    expect(resolver.asks).toEqual([]);
  });

  it.each<[string, Parameters<typeof createGrant>[3]]>([
    ["digest differs", { pinnedDescriptor: "0".repeat(16) }],
    [
      "fingerprint differs, be the digest the same",
      { pinnedDescriptor: digest, pinnedFingerprint: "sha256:other" },
    ],
    ["fingerprint alone differs", { pinnedFingerprint: "sha256:other" }],
  ])("asks, and says why, where its %s", async (_, options) => {
    const { gate, resolver } = asking(allow(THIS_CALL, options));
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("ask_denied");
    expect(resolver.asks.map((ask) => ask.descriptor_changed)).toEqual([true]);
  });

  it("[CASE-205] asks again where a server changed what a tool says of itself, invisibly or not", async () => {
    const store = new MemoryGrantStore();
    const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }, "Deny"]);
    const gate = gateSaying(ASK).withGrants(store).withAskResolver(resolver);
    const { invoke, registry, tool } = gateRig(gate, { tool: { description: "safe" } });
    await invoke();
    registry.replace({ ...tool, description: "safe\u{E0020}\u{E0072}" });
    expect((await invoke()).gate?.verdict).toBe("ask_denied");
    const [first, second] = resolver.asks;
    expect(second?.descriptor_changed).toBe(true);
    expect(first?.descriptor_digest).not.toBe(second?.descriptor_digest);
  });

  it("does not hide another approval that holds", async () => {
    const { gate } = asking(allow("this_tool", { pinnedDescriptor: "0".repeat(16) }), allow(THIS_CALL));
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("allow");
  });
});

describe("a question that a rule demands", () => {
  const policy = stubPolicy(policyDecision("ask", { configuredAsk: true }));
  const demanding = (store: GrantStore, resolver = scriptedResolver(["Deny"])) =>
    gateRig(
      PermissionMiddleware.fromContext().withPolicy(policy).withGrants(store).withAskResolver(resolver),
    );

  it("is not answered by an approval of the whole tool", async () => {
    const resolver = scriptedResolver(["Deny"]);
    const { invoke } = demanding(new MemoryGrantStore([allow("this_tool")]), resolver);
    expect((await invoke()).gate?.verdict).toBe("ask_denied");
    expect(resolver.asks[0]).toMatchObject({ configured_ask: true });
    expect(resolver.asks[0]).not.toHaveProperty("descriptor_changed");
  });

  it("says that the tool changed where only that keeps an approval of this call from answering", async () => {
    const resolver = scriptedResolver(["Deny"]);
    const stale = allow(THIS_CALL, { pinnedDescriptor: "0".repeat(16) });
    const { invoke } = demanding(new MemoryGrantStore([allow("this_tool"), stale]), resolver);
    expect((await invoke()).gate?.verdict).toBe("ask_denied");
    expect(resolver.asks[0]).toMatchObject({ configured_ask: true, descriptor_changed: true });
  });

  it("is answered by an approval of this call, also beside one of the whole tool", async () => {
    const grant = allow(THIS_CALL);
    for (const grants of [[grant], [allow("this_tool"), grant], [grant, allow("this_tool")]]) {
      const { invoke } = demanding(new MemoryGrantStore(grants));
      expect((await invoke()).gate).toEqual(recordOf("allow", grant.id, "grant"));
    }
  });

  it("stays demanded where a check asks as well", async () => {
    const store = new MemoryGrantStore([allow("this_tool")]);
    const gate = gateSaying(ASK).withPolicy(policy).withGrants(store);
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("ask_unresolved");
  });
});

describe("arguments whose text says more than their value", () => {
  const gateWith = (grant: Grant) => gateSaying(ASK).withGrants(new MemoryGrantStore([grant]));
  const value: JsonValue = { n: 1 };

  it("are not approved by an approval of the value, and are refused by a denial of it", async () => {
    const call = { inputText: '{"n":1.0}' };
    const approved = await gateRig(gateWith(allow({ this_call: { args: value } }))).invoke(call);
    expect(approved.gate?.verdict).toBe("ask_unresolved");
    const denied = await gateRig(gateWith(deny({ this_call: { args: value } }))).invoke(call);
    expect(denied.gate?.verdict).toBe("deny");
  });

  it("are not approved either once a layer outside has copied them", async () => {
    const copying = {
      name: "copying",
      dispatch(context: { input: JsonValue }, next: () => Promise<never>) {
        context.input = structuredClone(context.input);
        return next();
      },
    };
    const gate = gateWith(allow({ this_call: { args: value } }));
    const result = await gateRig([copying, gate]).invoke({ inputText: '{"n":1.0}' });
    expect(result.gate?.verdict).toBe("ask_unresolved");
  });
});
