import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, PermissionMiddleware, ToolEngine, ToolPipeline } from "../../src/index.js";
import { callOf, engineFor, never, toolOf, turn } from "../support/engine-harness.js";

const asking = () => PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("really?"));

it("has gates without a resolver ask the engine's", async () => {
  const resolver = scriptedResolver(["Approve"]);
  const { engine } = engineFor({ layers: [asking()], askResolver: resolver });
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "ask_allowed" });
  expect(resolver.asks).toMatchObject([{ prompt: "really?", session_id: "s1", run_id: "r1" }]);
});

it("has gates with a resolver of their own ask that, and the engine's asked by hooks", async () => {
  const own = scriptedResolver(["Deny"]);
  const shared = scriptedResolver(["Approve"]);
  const { engine } = engineFor({
    hooks: [confirmTools(["deploy"])],
    layers: [asking().withAskResolver(own)],
    askResolver: shared,
  });
  expect((await engine.dispatch(callOf())).output).toBe("Permission denied by user for tool 'deploy'");
  expect([shared.asks.length, own.asks.length]).toEqual([1, 1]);
});

it("has gates without a deadline keep the engine's", async () => {
  const { engine, clock } = engineFor({
    layers: [asking()],
    askResolver: { interactive: false, resolve: never },
    askTimeoutMs: 100,
  });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(100);
  expect((await running).gate).toMatchObject({ verdict: "ask_expired" });
});

it("has gates without a store use the engine's, also for what they remember", async () => {
  const grants = new MemoryGrantStore();
  const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }]);
  const { engine } = engineFor({ layers: [asking()], askResolver: resolver, grants });
  await engine.dispatch(callOf());
  expect(await grants.load()).toHaveLength(1);
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
});

it("has gates with a store of their own use that one", async () => {
  const own = new MemoryGrantStore([createGrant("deploy", "Allow", "this_tool")]);
  const { engine } = engineFor({ layers: [asking().withGrants(own)], grants: new MemoryGrantStore() });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
});

it("takes clock, ids and reports from the pipeline where it has none of its own", async () => {
  const { engine, observer } = engineFor({ hooks: [confirmTools(["deploy"])], askResolver: () => false });
  await engine.dispatch(callOf());
  expect(observer.events[0]?.event).toMatchObject({ ts: 1_700_000_000_000 });
  expect(observer.events[1]?.event).toMatchObject({ ask: { id: "00000000-0000-4000-8000-000000000001" } });
});

it("mints ids of session and run, and lets a call's own context come first", async () => {
  const seen: unknown[] = [];
  const tool = toolOf(
    "deploy",
    () => {},
    (_input: unknown, context: object) => {
      seen.push({ ...context, signal: undefined });
    },
  );
  const pipeline = ToolPipeline.builder().withCore([tool]).withoutGate().build();
  const engine = new ToolEngine({ pipeline, agent: "main", isNonInteractive: true });
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(engine.sessionId).toMatch(uuid);
  expect(engine.runId).toMatch(uuid);
  expect(engine.runId).not.toBe(engine.sessionId);
  await engine.dispatch(callOf());
  await engine.dispatch(
    callOf({ toolContext: { sessionId: "s9", runId: "r9", agent: "sub", isNonInteractive: false } }),
  );
  const { sessionId, runId } = engine;
  expect(seen).toEqual([
    { sessionId, runId, agent: "main", isNonInteractive: true, signal: undefined },
    { sessionId: "s9", runId: "r9", agent: "sub", isNonInteractive: false, signal: undefined },
  ]);
});

it.each([
  ["askTimeoutMs", -1],
  ["askTimeoutMs", Number.NaN],
  ["checkTimeoutMs", -1],
  ["checkTimeoutMs", Number.NaN],
])("refuses to be made with %s %d", (option, value) => {
  expect(() => engineFor({ [option]: value })).toThrow(
    expect.objectContaining({ code: "invalid_option", message: expect.stringContaining(option) }),
  );
});
