import {
  createGrant,
  descriptorDigest,
  descriptorFingerprint,
  type Grant,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, HookAction, PermissionMiddleware, type PreToolUseHook } from "../../src/index.js";
import { callOf, deferred, engineFor, never, toolOf, turn } from "../support/engine-harness.js";

const ARGS = { target: "/srv" };
const THIS_CALL = { this_call: { args: ARGS } };
const confirm = confirmTools(["deploy"]);

/** Counts how often it is consulted, and allows. */
function counting() {
  const consulted: string[] = [];
  const hook: PreToolUseHook = { preToolUse: ({ callId }) => void consulted.push(callId) };
  return { consulted, hook };
}

it.each<[string, Grant]>([
  ["of this call", createGrant("deploy", "Deny", THIS_CALL)],
  ["of the tool", createGrant("deploy", "Deny", "this_tool")],
  [
    "whose pin does not match any more",
    createGrant("deploy", "Deny", THIS_CALL, { pinnedDescriptor: "0".repeat(16) }),
  ],
])("refuses by a denial %s, before hooks are consulted", async (_, deny) => {
  const { consulted, hook } = counting();
  const { engine, inputs } = engineFor({ hooks: [hook, confirm], grants: new MemoryGrantStore([deny]) });
  const result = await engine.dispatch(callOf());
  expect(result.output).toBe("Permission denied by a remembered decision for tool 'deploy'");
  expect(result.gate).toMatchObject({
    verdict: "deny",
    rule_id: deny.id,
    rule_source: "grant",
    reason: "denied by a remembered decision",
  });
  expect(result.trail).toHaveLength(1);
  expect(consulted).toEqual([]);
  expect(inputs).toEqual([]);
});

it("refuses by a denial that was remembered while a hook was deciding", async () => {
  const grants = new MemoryGrantStore();
  const slow = deferred<undefined>();
  const { engine, inputs } = engineFor({
    hooks: [{ preToolUse: () => slow.promise }],
    layers: [PermissionMiddleware.allowAll()],
    grants,
  });
  const running = engine.dispatch(callOf());
  await turn();
  const deny = await grants.save(createGrant("deploy", "Deny", THIS_CALL));
  slow.resolve(undefined);
  expect((await running).gate).toMatchObject({ verdict: "deny", rule_id: deny.id });
  expect(inputs).toEqual([]);
});

it("refuses by a denial that was remembered while a guard was deciding", async () => {
  const grants = new MemoryGrantStore();
  const slow = deferred<null>();
  const { engine, inputs } = engineFor({
    guards: [{ name: "g", before: () => slow.promise }],
    layers: [PermissionMiddleware.allowAll()],
    grants,
  });
  const running = engine.dispatch(callOf());
  await turn();
  await grants.save(createGrant("deploy", "Deny", THIS_CALL));
  slow.resolve(null);
  expect((await running).gate).toMatchObject({ verdict: "deny", rule_source: "grant" });
  expect(inputs).toEqual([]);
});

it("answers a hook's question by a remembered approval, and asks nobody", async () => {
  const allow = createGrant("deploy", "Allow", THIS_CALL);
  const { engine, observer, inputs } = engineFor({ hooks: [confirm], grants: new MemoryGrantStore([allow]) });
  const result = await engine.dispatch(callOf());
  expect(result).toMatchObject({ output: "deployed", isError: false });
  expect(result.gate).toMatchObject({
    verdict: "allow",
    rule_id: allow.id,
    rule_source: "grant",
    reason: null,
  });
  expect(observer.names).toEqual(["tool_pre", "gate_decision", "tool_post"]);
  expect(inputs).toHaveLength(1);
});

it("lets a remembered approval not answer a hook that blocks", async () => {
  const grants = new MemoryGrantStore([createGrant("deploy", "Allow", "this_tool")]);
  const { engine } = engineFor({ hooks: [{ preToolUse: () => HookAction.block("no") }], grants });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", rule_source: "hook" });
});

it.each<[string, Grant, boolean]>([
  ["has expired", createGrant("deploy", "Allow", THIS_CALL, { expiresAtMs: 1_700_000_000_000 }), false],
  ["is of other arguments", createGrant("deploy", "Allow", { this_call: { args: {} } }), false],
  ["is of another tool", createGrant("deploy2", "Allow", "this_tool"), false],
  [
    "is pinned to another description",
    createGrant("deploy", "Allow", THIS_CALL, { pinnedDescriptor: "0".repeat(16) }),
    true,
  ],
])("asks when the remembered approval %s", async (_, grant, changed) => {
  const resolver = scriptedResolver(["Approve"]);
  const { engine } = engineFor({
    hooks: [confirm],
    grants: new MemoryGrantStore([grant]),
    askResolver: resolver,
  });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "ask_allowed" });
  expect(resolver.asks).toHaveLength(1);
  expect(resolver.asks[0]?.descriptor_changed ?? false).toBe(changed);
});

it("remembers the answer to a hook's question, pinned, for exactly this call", async () => {
  const grants = new MemoryGrantStore();
  const tool = toolOf("deploy");
  const resolver = scriptedResolver([
    { resolution: "Approve", remember: "this_call", decided_by: "ana" },
    "Deny",
  ]);
  const { engine, clock } = engineFor({ hooks: [confirm], grants, askResolver: resolver, tools: [tool] });
  await engine.dispatch(callOf());
  expect(resolver.asks[0]?.rememberable).toEqual(["this_call"]);
  expect(await grants.load()).toEqual([
    createGrant("deploy", "Allow", THIS_CALL, {
      createdAtMs: clock.now(),
      grantedBy: "ana",
      pinnedDescriptor: descriptorDigest(tool),
      pinnedFingerprint: descriptorFingerprint(tool),
    }),
  ]);
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
  const other = await engine.dispatch(callOf({ input: { target: "/etc" } }));
  expect(other.gate).toMatchObject({ verdict: "ask_denied" });
  expect(resolver.asks).toHaveLength(2);
});

it("remembers a refusal, which then refuses without a question", async () => {
  const resolver = scriptedResolver([{ resolution: "Deny", remember: "this_call" }]);
  const { engine } = engineFor({ hooks: [confirm], grants: new MemoryGrantStore(), askResolver: resolver });
  await engine.dispatch(callOf());
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", rule_source: "grant" });
  expect(resolver.asks).toHaveLength(1);
});

it("offers a whole tool only where the engine names it", async () => {
  const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_tool" }, "Approve"]);
  const { engine } = engineFor({
    hooks: [confirm],
    grants: new MemoryGrantStore(),
    rememberTools: ["deploy"],
    askResolver: resolver,
  });
  await engine.dispatch(callOf());
  expect(resolver.asks[0]?.rememberable).toEqual(["this_call", "this_tool"]);
  const other = await engine.dispatch(callOf({ input: { target: "/etc" } }));
  expect(other.gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
});

it("runs an approved call whose answer cannot be saved, and reports it", async () => {
  const grants: GrantStore = Object.assign(new MemoryGrantStore(), {
    save: async () => {
      throw new Error("disk full");
    },
  });
  const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }]);
  const { engine, errors, inputs } = engineFor({ hooks: [confirm], grants, askResolver: resolver });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "ask_allowed" });
  expect(inputs).toHaveLength(1);
  expect(errors()).toHaveLength(1);
});

it("answers the questions of the hook and of the gate by one remembered approval", async () => {
  const allow = createGrant("deploy", "Allow", THIS_CALL);
  const { engine } = engineFor({
    hooks: [confirm],
    layers: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("really?"))],
    grants: new MemoryGrantStore([allow]),
  });
  const result = await engine.dispatch(callOf());
  expect(result.output).toBe("deployed");
  expect(result.trail.map(({ rule_id }) => rule_id)).toEqual([allow.id, allow.id]);
});

it.each([1, 2])("is cancelled when the run is called off during look-up number %i", async (hanging) => {
  let reads = 0;
  const grants: GrantStore = Object.assign(new MemoryGrantStore(), {
    find: () => (++reads === hanging ? never<Grant[]>() : Promise.resolve([])),
  });
  const cancel = new AbortController();
  const { engine, observer, clock, inputs } = engineFor({
    hooks: [confirm],
    grants,
    askResolver: { interactive: false, resolve: () => "Approve" },
  });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled", rule_source: "engine" }]);
  expect(observer.names).not.toContain("ask_parked");
  expect(inputs).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

it("refuses by a denial that was remembered between the first look and the question", async () => {
  const deny = createGrant("deploy", "Deny", THIS_CALL);
  let reads = 0;
  const grants: GrantStore = Object.assign(new MemoryGrantStore(), {
    find: async () => (++reads === 1 ? [] : [deny]),
  });
  const resolver = scriptedResolver(["Approve"]);
  const { engine } = engineFor({ hooks: [confirm], grants, askResolver: resolver });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", rule_id: deny.id });
  expect(resolver.asks).toEqual([]);
});
