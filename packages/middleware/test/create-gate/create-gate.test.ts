import {
  createGrant,
  MemoryGrantStore,
  PermissionCheck,
  type PermissionDecision,
  type PermissionPolicy,
  type PolicyRequest,
} from "@x/permission-core";
import { ManualClock, memoryWorkspace, scriptedResolver, sequentialIds } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import * as z from "zod";
import { createGate, defineTool, HookAction, repeatGuard, type Tool } from "../../src/index.js";
import { recordingObserver } from "../../src/testing/index.js";
import { callOf, toolOf } from "../support/engine-harness.js";

const ALLOW = PermissionCheck.allow();
const quiet = { onReport: () => {}, clock: new ManualClock(), ids: sequentialIds() };

const deploy = defineTool({
  name: "deploy",
  description: "Deploys",
  input: z.object({ target: z.string(), force: z.boolean().default(false) }),
  run: ({ target }) => `deployed to ${target}`,
});

/** A policy that always says `effect`, and keeps what it was asked. */
function policyOf(effect: PermissionDecision["effect"]) {
  const requests: PolicyRequest[] = [];
  const policy: PermissionPolicy = {
    evaluate(request) {
      requests.push(request);
      return {
        effect,
        reason: `policy says ${effect}`,
        rule: null,
        configuredAsk: false,
        flooredConfiguredAllow: false,
        parts: [],
      };
    },
    learn: () => null,
    learnable: () => null,
  };
  return { policy, requests };
}

it("runs what its check allows, and denies what its check denies", async () => {
  const gate = createGate({
    ...quiet,
    tools: [deploy],
    checks: {
      deploy: ({ target, force }) =>
        target === "/srv" && !force ? ALLOW : PermissionCheck.deny("is off limits"),
    },
  });
  expect(await gate.dispatch(callOf())).toMatchObject({
    output: "deployed to /srv",
    gate: { verdict: "allow", rule_id: "middleware" },
  });
  const denied = await gate.dispatch(callOf({ input: { target: "/etc" } }));
  expect(denied.output).toBe("Permission is off limits for tool 'deploy'");
});

it("denies, at run time, a tool that has neither a check nor a policy", async () => {
  const plain: Tool[] = [toolOf("deploy"), toolOf("read")];
  const gate = createGate({ ...quiet, tools: plain, checks: { read: ALLOW } });
  const denied = await gate.dispatch(callOf());
  expect(denied).toMatchObject({
    output: "Permission blocked by policy for tool 'deploy'",
    gate: { verdict: "deny", rule_id: "middleware", rule_source: "middleware" },
  });
  expect((await gate.dispatch(callOf({ toolName: "read" }))).output).toBe("done");
});

it.each<[string, unknown]>([
  ["no checks at all", undefined],
  ["a check that is undefined", { deploy: undefined }],
  ["a check that is null", { deploy: null }],
  ["a check that is true", { deploy: true }],
  ["a check that is only inherited", Object.create({ deploy: ALLOW })],
])("denies for a caller without types who gives %s", async (_, checks) => {
  const gate = createGate({
    ...quiet,
    tools: [toolOf("deploy")],
    checks: checks as { [name: string]: typeof ALLOW },
  });
  expect((await gate.dispatch(callOf({ permission: ALLOW }))).gate).toMatchObject({ verdict: "deny" });
  expect(await gate.evaluate({ toolName: "deploy", input: {} })).toMatchObject({ verdict: "deny" });
});

it.each(["constructor", "__proto__", "toString"])(
  "gates a tool that is called %s like any other",
  async (name) => {
    const tools: Tool[] = [toolOf(name)];
    const call = callOf({ toolName: name });
    const forgotten = createGate({ ...quiet, tools, checks: {} });
    expect((await forgotten.dispatch(call)).gate).toMatchObject({ verdict: "deny" });
    const checks = Object.defineProperty({}, name, { value: ALLOW, enumerable: true });
    expect((await createGate({ ...quiet, tools, checks }).dispatch(call)).output).toBe("done");
  },
);

it("refuses two tools of one name", () => {
  expect(() => createGate({ tools: [deploy, deploy], checks: { deploy: ALLOW } })).toThrow(
    expect.objectContaining({ code: "duplicate_tool" }),
  );
});

it.each<[PermissionCheck, PermissionDecision["effect"], string]>([
  [ALLOW, "allow", "allow"],
  [ALLOW, "deny", "deny"],
  [PermissionCheck.deny("no"), "allow", "deny"],
  [ALLOW, "ask", "ask"],
  [PermissionCheck.ask("sure?"), "allow", "ask"],
  [PermissionCheck.ask("sure?"), "deny", "deny"],
  [PermissionCheck.modify({ target: "/tmp" }), "allow", "allow_modified"],
  [PermissionCheck.modify({ target: "/tmp" }), "ask", "ask"],
])("lets the stricter of check %o and policy %s win", async (check, effect, verdict) => {
  const { policy } = policyOf(effect);
  const gate = createGate({ ...quiet, tools: [deploy], policy, checks: { deploy: check } });
  expect(await gate.evaluate({ toolName: "deploy", input: { target: "/srv" } })).toMatchObject({ verdict });
});

it("has the policy judge a tool without a check, beside the claim of the call", async () => {
  const gate = createGate({ ...quiet, tools: [deploy], policy: policyOf("allow").policy });
  expect((await gate.dispatch(callOf())).output).toBe("deployed to /srv");
  const claimed = await gate.dispatch(callOf({ permission: PermissionCheck.deny("is not now") }));
  expect(claimed.gate).toMatchObject({ verdict: "deny", rule_source: "context" });
});

it("tells the policy mode, workspace and what is called, and asks for the mode at every call", async () => {
  let mode: "default" | "plan" = "default";
  const workspace = memoryWorkspace({});
  const { policy, requests } = policyOf("allow");
  const gate = createGate({
    ...quiet,
    tools: [deploy],
    policy,
    mode: () => mode,
    workspace,
    sessionId: "s1",
  });
  await gate.dispatch(callOf());
  mode = "plan";
  await gate.dispatch(callOf());
  expect(requests.map((request) => request.mode)).toEqual(["default", "plan"]);
  expect(requests[0]).toMatchObject({
    sessionId: "s1",
    audience: "main",
    call: { tool: "deploy", input: { target: "/srv", force: false } },
  });
  expect(requests[0]?.workspace).toBe(workspace);

  const fixed = policyOf("allow");
  await createGate({ ...quiet, tools: [deploy], policy: fixed.policy, mode: "plan" }).dispatch(callOf());
  expect(fixed.requests.map((request) => request.mode)).toEqual(["plan"]);
});

it("hands resolver, grants, hooks, guards and observers to its engine", async () => {
  const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_tool" }]);
  const grants = new MemoryGrantStore();
  const observer = recordingObserver();
  const gate = createGate({
    ...quiet,
    tools: [toolOf("deploy"), toolOf("read")],
    checks: { deploy: PermissionCheck.ask("deploy?"), read: ALLOW },
    askResolver: resolver,
    askTimeoutMs: 1_000,
    grants,
    rememberTools: ["deploy"],
    hooks: [
      { name: "h", preToolUse: ({ toolName }) => (toolName === "read" ? HookAction.block("no") : undefined) },
    ],
    guards: [repeatGuard({ limit: 1 })],
    observers: [observer],
    sessionId: "s1",
    runId: "r1",
    agent: "sub",
  });
  expect([gate.sessionId, gate.runId]).toEqual(["s1", "r1"]);
  await gate.dispatch(callOf());
  expect(resolver.asks).toMatchObject([{ prompt: "deploy?", agent: "sub", session_id: "s1", run_id: "r1" }]);
  expect(resolver.asks[0]?.expires_at_ms).toBe(quiet.clock.now() + 1_000);
  expect(await grants.load()).toMatchObject([{ scope: "this_tool" }]);
  expect((await gate.dispatch(callOf({ toolName: "read" }))).gate).toMatchObject({ rule_id: "h" });
  await expect(gate.dispatch(callOf())).rejects.toMatchObject({ code: "run_stopped" });
  expect(observer.names.filter((name) => name === "tool_post")).toHaveLength(3);
});

it("asks nobody at a terminal in an unattended run", async () => {
  const asks: string[] = [];
  const gate = createGate({
    ...quiet,
    tools: [deploy],
    checks: { deploy: PermissionCheck.ask("deploy?") },
    askResolver: (prompt) => asks.push(prompt) > 0,
    isNonInteractive: true,
  });
  expect((await gate.dispatch(callOf())).gate).toMatchObject({ verdict: "ask_unresolved" });
  expect(asks).toEqual([]);
});

it("refuses by a remembered denial before its checks", async () => {
  const deny = createGrant("deploy", "Deny", "this_tool");
  const gate = createGate({
    ...quiet,
    tools: [deploy],
    checks: { deploy: ALLOW },
    grants: new MemoryGrantStore([deny]),
  });
  expect((await gate.dispatch(callOf())).gate).toMatchObject({ rule_id: deny.id });
});

it("bounds its checks by checkTimeoutMs, and refuses to be made with bad times", async () => {
  const clock = new ManualClock();
  const gate = createGate({
    ...quiet,
    clock,
    tools: [deploy],
    checks: { deploy: () => new Promise<never>(() => {}) },
    checkTimeoutMs: 40,
  });
  const running = gate.dispatch(callOf());
  clock.advance(40);
  expect((await running).gate).toMatchObject({ verdict: "deny", reason: "policy error" });
  for (const option of ["askTimeoutMs", "checkTimeoutMs"]) {
    expect(() => createGate({ tools: [deploy], checks: { deploy: ALLOW }, [option]: -1 })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  }
});

it("mints ids of session and run, dispatches several calls, and closes", async () => {
  const gate = createGate({ onReport: () => {}, tools: [deploy], checks: { deploy: ALLOW } });
  expect(gate.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  expect(gate.runId).not.toBe(gate.sessionId);
  const entries = await gate.dispatchAll([callOf(), callOf({ input: {} })], { maxConcurrency: 1 });
  expect(entries).toMatchObject([
    { status: "completed", result: { output: "deployed to /srv" } },
    { status: "completed", result: { errorKind: "validation" } },
  ]);
  await gate[Symbol.asyncDispose]();
  await expect(gate.dispatch(callOf())).rejects.toMatchObject({ code: "closed" });
});

it("always gives a decision in a dry run", async () => {
  const gate = createGate({ ...quiet, tools: [deploy], checks: { deploy: ALLOW } });
  for (const call of [
    { toolName: "deploy", input: { target: "/srv" } },
    { toolName: "deploy", input: {} },
    { toolName: "deploy", input: 1n },
    { toolName: "missing", input: {} },
  ]) {
    expect(await gate.evaluate(call)).toMatchObject({ tool: call.toolName, ts: 0 });
  }
});
