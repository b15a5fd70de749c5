import { type GrantStore, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { type ScriptedAnswer, scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, HookAction, PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor, never, type Setup, turn } from "../support/engine-harness.js";

const PROMPT = "Remembered decisions cannot be read. Allow this call of tool 'deploy'?";

function failingStore(find: GrantStore["find"] = async () => Promise.reject(new Error("down"))): GrantStore {
  return Object.assign(new MemoryGrantStore(), { find });
}

/** An engine whose grants cannot be read. */
function unreadable(answers: ScriptedAnswer[], more: Setup = {}) {
  const resolver = scriptedResolver(answers);
  return { resolver, ...engineFor({ grants: failingStore(), askResolver: resolver, ...more }) };
}

it("makes a question of a call that nothing else asks about, and reports the failure", async () => {
  const { engine, resolver, errors, inputs } = unreadable(["Approve"]);
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "ask_allowed", rule_id: "ask" });
  expect(resolver.asks).toMatchObject([{ prompt: PROMPT }]);
  expect(resolver.asks[0]?.rememberable).toBeUndefined();
  expect(errors()).toHaveLength(1);
  expect(inputs).toHaveLength(1);
});

it("refuses where there is nobody to ask", async () => {
  const { engine, inputs } = engineFor({ grants: failingStore() });
  const result = await engine.dispatch(callOf());
  expect(result.output).toBe(PROMPT);
  expect(result.gate).toMatchObject({
    verdict: "ask_unresolved",
    rule_id: "grants",
    rule_source: "engine",
    reason: `permission required: ${PROMPT}`,
  });
  expect(inputs).toEqual([]);
});

it.each<[string, Setup["layers"]]>([
  ["one gate that shares it", [PermissionMiddleware.allowAll()]],
  ["two gates that share it", [PermissionMiddleware.allowAll(), PermissionMiddleware.allowAll()]],
  ["a gate that rewrites", [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.modify({}))]],
])("asks and reports once for one failure with %s", async (_, layers) => {
  const { engine, resolver, errors, inputs } = unreadable(["Approve"], { layers: layers ?? [] });
  await engine.dispatch(callOf());
  expect(resolver.asks).toHaveLength(1);
  expect(errors()).toHaveLength(1);
  expect(inputs).toHaveLength(1);
});

it("asks once when a hook asks as well", async () => {
  const { engine, resolver } = unreadable(["Approve"], {
    hooks: [confirmTools(["deploy"])],
    layers: [PermissionMiddleware.allowAll()],
  });
  await engine.dispatch(callOf());
  expect(resolver.asks).toMatchObject([{ prompt: "Allow tool 'deploy' to execute?" }]);
});

it("asks once where a gate asks anyway, in the gate's words, which say more", async () => {
  const { engine, resolver, inputs } = unreadable(["Approve"], {
    layers: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("really?"))],
  });
  await engine.dispatch(callOf());
  expect(resolver.asks).toMatchObject([{ prompt: "really?" }]);
  expect(inputs).toHaveLength(1);
});

it("asks once where the gate has a failing store of its own, and reports both", async () => {
  const own = PermissionMiddleware.allowAll().withGrants(failingStore());
  const { engine, resolver, errors } = unreadable(["Approve", "Approve"], { layers: [own] });
  await engine.dispatch(callOf());
  expect(resolver.asks).toMatchObject([{ prompt: PROMPT }]);
  expect(errors()).toHaveLength(2);
});

it.each<[string, Setup]>([
  ["a hook blocks", { hooks: [{ preToolUse: () => HookAction.block("no") }] }],
  [
    "a gate denies",
    { layers: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.deny("no"))] },
  ],
])("asks nobody when %s", async (_, more) => {
  const { engine, resolver } = unreadable(["Approve"], more);
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", reason: "no" });
  expect(resolver.asks).toEqual([]);
});

it.each<[string, Setup["layers"]]>([
  ["the engine's own", []],
  ["that of a gate that shares it", [PermissionMiddleware.allowAll()]],
])("asks the hook's question alone when only the second look fails, %s", async (_, layers) => {
  let reads = 0;
  const failing = failingStore(async () => {
    reads++;
    if (reads > 1) throw new Error("down");
    return [];
  });
  const { engine, resolver, errors, inputs } = unreadable(["Approve"], {
    grants: failing,
    hooks: [confirmTools(["deploy"])],
    layers: layers ?? [],
  });
  await engine.dispatch(callOf());
  expect(resolver.asks).toMatchObject([{ prompt: "Allow tool 'deploy' to execute?" }]);
  expect(errors()).toHaveLength(1);
  expect(inputs).toHaveLength(1);
});

it("takes a store that hangs for one that failed, in bounded time", async () => {
  const { engine, resolver, clock } = unreadable(["Deny"], {
    grants: failingStore(never),
    checkTimeoutMs: 500,
  });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(500);
  expect((await running).gate).toMatchObject({ verdict: "ask_denied", reason: "denied by approver" });
  expect(resolver.asks).toHaveLength(1);
  expect(clock.timerCount).toBe(0);
});

it("asks anew about the next call, once for each", async () => {
  const { engine, resolver } = unreadable(["Approve", "Approve"]);
  await engine.dispatch(callOf());
  await engine.dispatch(callOf());
  expect(resolver.asks).toHaveLength(2);
});
