import { createGrant, type GrantStore, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, HookAction, PermissionMiddleware } from "../../src/index.js";
import { engineFor, never, type Setup, toolOf, turn } from "../support/engine-harness.js";

const THIS_CALL = { this_call: { args: { target: "/srv" } } };
const call = { toolName: "deploy", input: { target: "/srv" } };

const gate = (check: () => PermissionCheck) => PermissionMiddleware.fromContext().withNamedCheck("g", check);
const denying = gate(() => PermissionCheck.deny("no"));
const refusing = { name: "guard", before: () => ({ action: "refuse" as const, reason: "tired" }) };
const confirm = confirmTools(["deploy"]);
const blocking = { name: "h", preToolUse: () => HookAction.block("blocked") };
const denyGrant = createGrant("deploy", "Deny", THIS_CALL);
const allowGrant = createGrant("deploy", "Allow", THIS_CALL);
const failingStore: GrantStore = Object.assign(new MemoryGrantStore(), {
  find: async () => Promise.reject(new Error("down")),
});

it("is null where nothing gates", async () => {
  expect(await engineFor().engine.evaluate(call)).toBeNull();
  const { engine } = engineFor({
    hooks: [{ preToolUse: () => undefined }],
    guards: [{ name: "g", before: () => null }],
    grants: new MemoryGrantStore([allowGrant]),
  });
  expect(await engine.evaluate(call)).toBeNull();
});

/** Everything that may have a say, the first of which denies; each row leaves out the one before. */
const DENIALS: [string, Setup, object][] = [
  [
    "a remembered denial",
    { grants: new MemoryGrantStore([denyGrant]), hooks: [blocking], guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: denyGrant.id, rule_source: "grant" },
  ],
  [
    "a hook that blocks",
    { hooks: [confirm, blocking], guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: "h", rule_source: "hook", reason: "blocked" },
  ],
  [
    "a gate behind a hook that asks",
    { hooks: [confirm], guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: "g", reason: "no" },
  ],
  [
    "a gate behind a hook that a remembered approval answers",
    { grants: new MemoryGrantStore([allowGrant]), hooks: [confirm], guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: "g", reason: "no" },
  ],
  [
    "a gate behind a store that fails",
    { grants: failingStore, guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: "g", reason: "no" },
  ],
  [
    "a guard, where no hook asks",
    { guards: [refusing], layers: [denying] },
    { verdict: "deny", rule_id: "guard", rule_source: "engine", reason: "tired" },
  ],
  [
    "a guard behind a hook that asks",
    { hooks: [confirm], guards: [refusing], layers: [PermissionMiddleware.allowAll()] },
    { verdict: "deny", rule_id: "guard" },
  ],
  ["a gate", { layers: [PermissionMiddleware.allowAll(), denying] }, { verdict: "deny", rule_id: "g" }],
];

it.each(DENIALS)("gives the first denial in the order of a dispatch: %s", async (_, setup, expected) => {
  const { engine } = engineFor(setup);
  expect(await engine.evaluate(call)).toMatchObject({ ...expected, ts: 0 });
});

it.each<[string, Setup, object]>([
  [
    "the hook's question before a gate's",
    { hooks: [confirm], layers: [gate(() => PermissionCheck.ask("really?"))] },
    {
      verdict: "ask",
      rule_id: "confirm-tools",
      rule_source: "hook",
      reason: "Allow tool 'deploy' to execute?",
    },
  ],
  [
    "a gate's question before a rewrite",
    { layers: [gate(() => PermissionCheck.modify({})), gate(() => PermissionCheck.ask("really?"))] },
    { verdict: "ask", rule_id: "g", reason: "really?" },
  ],
  [
    "the remembered approval that answers the hook",
    { hooks: [confirm], grants: new MemoryGrantStore([allowGrant]) },
    { verdict: "allow", rule_id: allowGrant.id, rule_source: "grant" },
  ],
  [
    "a rewrite before a pass-through",
    { layers: [PermissionMiddleware.allowAll(), gate(() => PermissionCheck.modify({}))] },
    { verdict: "allow_modified", rule_id: "g" },
  ],
  [
    "the question about a store that fails, of the gate that shares it",
    { grants: failingStore, layers: [PermissionMiddleware.allowAll()] },
    {
      verdict: "ask",
      rule_id: "middleware",
      reason: "Remembered decisions cannot be read. Allow this call of tool 'deploy'?",
    },
  ],
  [
    "the question about a store that fails, of the engine where no gate asks",
    { grants: failingStore, layers: [] },
    {
      verdict: "ask",
      rule_id: "grants",
      reason: "Remembered decisions cannot be read. Allow this call of tool 'deploy'?",
    },
  ],
])("gives %s", async (_, setup, expected) => {
  const { engine } = engineFor(setup);
  expect(await engine.evaluate(call)).toMatchObject({ ...expected, ts: 0 });
});

it("asks, saves, runs, counts and announces nothing", async () => {
  const resolver = scriptedResolver([{ resolution: "Approve", remember: "this_call" }]);
  const grants = new MemoryGrantStore();
  const dry: boolean[] = [];
  const { engine, observer, inputs } = engineFor({
    hooks: [confirm],
    layers: [gate(() => PermissionCheck.ask("really?"))],
    guards: [
      {
        name: "g",
        before({ dryRun = false }) {
          dry.push(dryRun);
          return null;
        },
      },
    ],
    grants,
    askResolver: resolver,
  });
  await engine.evaluate(call);
  await engine.evaluate({ ...call, callId: "c7" });
  expect(resolver.asks).toEqual([]);
  expect(await grants.load()).toEqual([]);
  expect(observer.events).toEqual([]);
  expect(dry).toEqual([true, true]);
  expect(inputs).toEqual([]);
});

it("consults nobody further once something denies", async () => {
  const consulted: string[] = [];
  const { engine } = engineFor({
    hooks: [blocking],
    guards: [
      {
        name: "g",
        before() {
          consulted.push("guard");
          return null;
        },
      },
    ],
    layers: [
      gate(() => {
        consulted.push("gate");
        return PermissionCheck.allow();
      }),
    ],
  });
  await engine.evaluate(call);
  expect(consulted).toEqual([]);
});

it("waits for a validator that decides later", async () => {
  const slow = { ...toolOf("deploy"), parse: async () => ({ value: { target: "/parsed" } }) };
  const { engine } = engineFor({
    tools: [slow],
    layers: [
      PermissionMiddleware.fromContext().withCheck(({ input }) =>
        PermissionCheck.deny(JSON.stringify(input)),
      ),
    ],
  });
  expect(await engine.evaluate(call)).toMatchObject({ verdict: "deny", reason: '{"target":"/parsed"}' });
});

it("denies what cannot run at all, and says why", async () => {
  const strict = { ...toolOf("deploy"), parse: () => ({ error: "target: missing" }) };
  const { engine } = engineFor({ tools: [strict] });
  expect(await engine.evaluate({ toolName: "missing", input: {} })).toMatchObject({
    verdict: "deny",
    rule_id: "engine",
    reason: "Unknown tool 'missing'; no name is near it",
  });
  expect(await engine.evaluate(call)).toMatchObject({
    verdict: "deny",
    reason: "Invalid input for tool 'deploy': target: missing",
  });
  expect(await engine.evaluate({ toolName: "deploy", input: 1n })).toMatchObject({
    verdict: "deny",
    args_digest: "",
  });
});

it.each<[string, Setup, string]>([
  ["a hook decides", { hooks: [{ name: "h", preToolUse: never }] }, "h"],
  ["a guard decides", { guards: [{ name: "guard", before: never }] }, "guard"],
  ["grants are read", { grants: Object.assign(new MemoryGrantStore(), { find: never }) }, "grants"],
])("gives that it was cancelled when its signal fires while %s", async (_, setup, ruleId) => {
  const cancel = new AbortController();
  const { engine, clock } = engineFor(setup);
  const running = engine.evaluate({ ...call, signal: cancel.signal });
  await turn();
  cancel.abort();
  expect(await running).toMatchObject({
    verdict: "cancelled",
    rule_id: ruleId,
    rule_source: "engine",
    reason: "cancelled while deciding",
  });
  expect(clock.timerCount).toBe(0);
});

it("reads the input when it is called, whatever the caller does to it afterwards", async () => {
  const { engine } = engineFor({
    layers: [
      PermissionMiddleware.fromContext().withCheck(({ input }) =>
        (input as { target: string }).target === "/srv"
          ? PermissionCheck.allow()
          : PermissionCheck.deny("no"),
      ),
    ],
    grants: new MemoryGrantStore(),
  });
  const input = { target: "/srv" };
  const running = engine.evaluate({ toolName: "deploy", input });
  input.target = "/etc";
  expect(await running).toMatchObject({ verdict: "allow" });
});
