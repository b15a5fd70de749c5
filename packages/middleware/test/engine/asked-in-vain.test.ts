import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, PermissionMiddleware, type ToolMiddleware } from "../../src/index.js";
import { callOf, engineFor, never, type Setup, turn } from "../support/engine-harness.js";

const gate = (check: () => PermissionCheck | Promise<PermissionCheck>) =>
  PermissionMiddleware.fromContext().withNamedCheck("g", check);

/** An engine whose hook asks, with a resolver that counts. */
function asking(more: Setup) {
  const resolver = scriptedResolver(["Approve", "Approve"]);
  return { resolver, ...engineFor({ hooks: [confirmTools(["deploy"])], askResolver: resolver, ...more }) };
}

it.each<[string, Setup["layers"]]>([
  ["the gate", [gate(() => PermissionCheck.deny("is off limits"))]],
  ["an asynchronous gate", [gate(async () => PermissionCheck.deny("is off limits"))]],
  ["an inner gate", [PermissionMiddleware.allowAll(), gate(() => PermissionCheck.deny("is off limits"))]],
  [
    "the gate behind one that asks",
    [gate(() => PermissionCheck.ask("?")), gate(() => PermissionCheck.deny("is off limits"))],
  ],
])("refuses, and asks nobody, what %s would refuse anyway", async (_, layers) => {
  const { engine, resolver, observer, inputs } = asking({ layers: layers ?? [] });
  const result = await engine.dispatch(callOf());
  expect(resolver.asks).toEqual([]);
  expect(result).toMatchObject({
    output: "Permission is off limits for tool 'deploy'",
    errorKind: "permission",
    durationMs: 0,
  });
  expect(result.gate).toMatchObject({ verdict: "deny", rule_id: "g", rule_source: "middleware" });
  expect(result.trail).toEqual([result.gate]);
  expect(observer.names).toEqual(["tool_pre", "gate_decision", "tool_post"]);
  expect(inputs).toEqual([]);
});

it("[CASE-059] lets a hook that asks not switch off a rule that denies", async () => {
  const denyUname = gate(() => PermissionCheck.deny("blocked by policy"));
  const { engine, resolver, inputs } = asking({ layers: [denyUname] });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ verdict: "deny", rule_id: "g" });
  expect(resolver.asks).toEqual([]);
  expect(inputs).toEqual([]);
});

it("asks nobody when a remembered decision of a gate's own store denies", async () => {
  const deny = createGrant("deploy", "Deny", "this_tool");
  const own = PermissionMiddleware.allowAll().withGrants(new MemoryGrantStore([deny]));
  const { engine, resolver } = asking({ layers: [own] });
  expect((await engine.dispatch(callOf())).gate).toMatchObject({ rule_id: deny.id, rule_source: "grant" });
  expect(resolver.asks).toEqual([]);
});

it("refuses before a remembered approval answers the hook's question", async () => {
  const allow = createGrant("deploy", "Allow", "this_tool");
  const { engine } = asking({
    layers: [gate(() => PermissionCheck.deny("is off limits"))],
    grants: new MemoryGrantStore([allow]),
  });
  const result = await engine.dispatch(callOf());
  expect(result.trail.map(({ rule_id }) => rule_id)).toEqual(["g"]);
});

it("asks nobody when a layer of somebody else's would refuse, or fails in its dry run", async () => {
  const passing: ToolMiddleware["dispatch"] = (_context, next) => next();
  const refusing: ToolMiddleware = {
    name: "quota",
    dispatch: passing,
    evaluate: async (context) => ({
      tool: context.toolName,
      args_digest: context.argsDigest,
      verdict: "deny",
      rule_id: "quota",
      rule_source: "middleware",
      matched_pattern: null,
      reason: "over quota",
      ts: 0,
    }),
  };
  const failing: ToolMiddleware = {
    name: "broken",
    dispatch: passing,
    async evaluate() {
      throw new Error("boom");
    },
  };
  const first = asking({ layers: [refusing] });
  expect((await first.engine.dispatch(callOf())).output).toBe("Permission over quota for tool 'deploy'");
  const second = asking({ layers: [failing] });
  expect((await second.engine.dispatch(callOf())).gate).toMatchObject({
    verdict: "deny",
    reason: "policy error",
  });
  expect([...first.resolver.asks, ...second.resolver.asks]).toEqual([]);
});

it("is cancelled, and asks nobody, when the run is called off while a gate is consulted beforehand", async () => {
  const cancel = new AbortController();
  const { engine, resolver, observer, clock } = asking({ layers: [gate(never)] });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled", reason: "cancelled while deciding" }]);
  expect(resolver.asks).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

it("asks where the pipeline would allow, rewrite or ask", async () => {
  for (const check of [
    PermissionCheck.allow(),
    PermissionCheck.modify({ target: "/tmp" }),
    PermissionCheck.ask("really?"),
  ]) {
    const { engine, resolver, inputs } = asking({ layers: [gate(() => check)] });
    await engine.dispatch(callOf());
    expect(resolver.asks).toHaveLength(check.kind === "ask" ? 2 : 1);
    expect(inputs).toHaveLength(1);
  }
});

it("keeps the model's input when a gate's dry run rewrites it", async () => {
  const digests: string[] = [];
  const { engine, observer, inputs } = asking({
    layers: [
      gate(() => PermissionCheck.modify({ target: "/tmp" })),
      PermissionMiddleware.fromContext().withCheck(({ input }) => {
        digests.push(JSON.stringify(input));
        return PermissionCheck.allow();
      }),
    ],
  });
  await engine.dispatch(callOf());
  const asked = observer.events[1]?.event;
  expect(asked).toMatchObject({ ask: { args_digest: observer.decisions[0]?.args_digest } });
  expect(digests).toEqual(['{"target":"/tmp"}', '{"target":"/tmp"}']);
  expect(inputs).toEqual([{ target: "/tmp" }]);
});
