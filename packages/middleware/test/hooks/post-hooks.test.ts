import { PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import {
  confirmTools,
  PermissionMiddleware,
  type PostToolUseHook,
  type ToolDispatchResult,
} from "../../src/index.js";
import { callOf, deferred, engineFor, never, toolOf, turn } from "../support/engine-harness.js";

type Seen = Parameters<PostToolUseHook["postToolUse"]>[0];

it("shows each of them the call and its result, in order, between the record and tool_post", async () => {
  const order: string[] = [];
  const seen: Seen[] = [];
  const hook = (name: string): PostToolUseHook => ({
    async postToolUse(event) {
      order.push(`${name} begins`);
      await turn();
      seen.push(event);
      order.push(`${name} ends`);
    },
  });
  const { engine } = engineFor({
    hooks: [hook("first"), hook("second")],
    layers: [PermissionMiddleware.allowAll()],
    observers: [
      {
        onGateDecision: () => void order.push("gate_decision"),
        onToolPost: () => void order.push("tool_post"),
      },
    ],
  });
  const result = await engine.dispatch(callOf({ turn: 4 }));
  expect(order).toEqual([
    "gate_decision",
    "first begins",
    "first ends",
    "second begins",
    "second ends",
    "tool_post",
  ]);
  expect(seen[0]).toMatchObject({ toolName: "deploy", sessionId: "s1", turn: 4, callId: "c1" });
  expect(seen[0]?.input).toEqual({ target: "/srv" });
  expect(seen[0]?.result).toEqual(result);
});

it.each<[string, unknown]>([
  ["JSON", { rows: [1, 2] }],
  ["holds a date", { rows: [1, 2], at: new Date(0) }],
])("changes nothing by what it does to a result whose output %s", async (_, output) => {
  const tampering: PostToolUseHook = {
    postToolUse({ input, result }) {
      (result.output as { rows: number[] }).rows.push(3);
      Object.assign(result, { isError: true, errorKind: "tool" });
      Object.assign(result.gate ?? {}, { verdict: "deny" });
      result.trail.splice(0);
      Object.assign(input as object, { target: "/etc" });
    },
  };
  const given = { target: "/srv" };
  const later: ToolDispatchResult[] = [];
  const { engine, observer } = engineFor({
    hooks: [tampering, { postToolUse: ({ result }) => void later.push(result) }],
    layers: [PermissionMiddleware.allowAll()],
    tools: [toolOf("deploy", () => {}, output)],
  });
  const result = await engine.dispatch(callOf({ input: given }));
  expect(result.output).toEqual({ ...(output as object), rows: [1, 2] });
  expect(result).toMatchObject({ isError: false, errorKind: null, gate: { verdict: "allow" } });
  expect(result.trail).toHaveLength(1);
  expect(later).toEqual([result]);
  expect(given).toEqual({ target: "/srv" });
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "completed" });
});

it("leaves out an output that nothing can copy", async () => {
  const output = { run: () => {} };
  const seen: unknown[] = [];
  const { engine } = engineFor({
    hooks: [{ postToolUse: ({ result }) => void seen.push(result.output) }],
    tools: [{ ...toolOf("deploy"), call: () => output }],
  });
  expect((await engine.dispatch(callOf())).output).toBe(output);
  expect(seen).toEqual([undefined]);
});

it.each<[string, PostToolUseHook["postToolUse"]]>([
  [
    "throws",
    () => {
      throw new Error("boom");
    },
  ],
  [
    "rejects",
    async () => {
      throw new Error("boom");
    },
  ],
])("is reported, and neither the result nor the next hook suffers, when it %s", async (_, postToolUse) => {
  const told: boolean[] = [];
  const { engine, errors } = engineFor({
    hooks: [{ name: "audit", postToolUse }, { postToolUse: () => void told.push(true) }],
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  expect(told).toEqual([true]);
  expect(errors()).toEqual(["The hook 'audit' failed after a call of tool 'deploy'."]);
});

it("is given up and reported when it takes longer than it may", async () => {
  const { engine, clock, errors } = engineFor({ hooks: [{ postToolUse: never }], checkTimeoutMs: 100 });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(100);
  expect((await running).output).toBe("deployed");
  expect(errors()).toHaveLength(1);
  expect(clock.timerCount).toBe(0);
});

it("is told, and none is waited for, when the run is cancelled while they look", async () => {
  const cancel = new AbortController();
  const told: string[] = [];
  const hook = (name: string): PostToolUseHook => ({
    postToolUse() {
      told.push(name);
      return never();
    },
  });
  const { engine, clock, observer } = engineFor({ hooks: [hook("first"), hook("second"), hook("third")] });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  expect(told).toEqual(["first"]);
  cancel.abort();
  expect((await running).output).toBe("deployed");
  expect(told).toEqual(["first", "second", "third"]);
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "completed" });
  expect(clock.timerCount).toBe(0);
});

it("is told, and none is waited for, when the engine is closed while they look", async () => {
  const { engine, clock } = engineFor({ hooks: [{ postToolUse: never }, { postToolUse: never }] });
  const running = engine.dispatch(callOf());
  await turn();
  await engine.close();
  expect((await running).output).toBe("deployed");
  expect(clock.timerCount).toBe(0);
});

it("sees failures and a gate's refusals, and no call that did not reach the pipeline", async () => {
  const seen: (string | null)[] = [];
  const watching: PostToolUseHook = { postToolUse: ({ result }) => void seen.push(result.errorKind) };
  const boom = () => {
    throw new Error("boom");
  };
  await engineFor({ hooks: [watching], tools: [toolOf("deploy", boom)] }).engine.dispatch(callOf());
  const gate = PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.deny("is no use"));
  await engineFor({ hooks: [watching], layers: [gate] }).engine.dispatch(callOf());
  await engineFor({ hooks: [watching, confirmTools(["deploy"])] }).engine.dispatch(callOf());
  await engineFor({ hooks: [watching] }).engine.dispatch(callOf({ toolName: "unknown" }));
  expect(seen).toEqual(["tool", "permission"]);
});

it("serves as both kinds of hook at once", async () => {
  const order: string[] = [];
  const both = {
    preToolUse: () => void order.push("before"),
    postToolUse: () => void order.push("after"),
  };
  const gone = deferred<void>();
  const { engine } = engineFor({
    hooks: [both],
    tools: [
      toolOf(
        "deploy",
        () => void order.push("tool"),
        () => gone.promise,
      ),
    ],
  });
  const running = engine.dispatch(callOf());
  await turn();
  expect(order).toEqual(["before", "tool"]);
  gone.resolve();
  await running;
  expect(order).toEqual(["before", "tool", "after"]);
});
