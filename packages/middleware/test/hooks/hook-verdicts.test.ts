import { expect, it } from "vitest";
import { HookAction, HookExecutor, type PreToolUseHook } from "../../src/index.js";
import { callOf, deferred, engineFor, turn } from "../support/engine-harness.js";

type Said = ReturnType<PreToolUseHook["preToolUse"]>;

/** Dispatches a call past hooks that say these things, in order; the approver says yes. */
async function judged(...sayings: (() => Said)[]) {
  const consulted: number[] = [];
  const hooks = sayings.map((say, index) => ({
    name: `h${index}`,
    preToolUse() {
      consulted.push(index);
      return say();
    },
  }));
  const harness = engineFor({ hooks, askResolver: { interactive: false, resolve: () => "Approve" } });
  const result = await harness.engine.dispatch(callOf());
  const prompts = harness.observer.events.flatMap(({ type, event }) =>
    type === "ask_parked" ? [event.ask.prompt] : [],
  );
  return { result, consulted, prompts, ...harness };
}

const allow = () => HookAction.allow();
const silent = () => undefined;
const block = (reason: string) => () => HookAction.block(reason);
const ask = (prompt: string) => () => HookAction.ask(prompt);
const later = (say: () => Said) => async () => say();

it.each([
  ["allow", [allow, silent, later(allow), later(silent)]],
  ["are none", []],
])("leaves no record where hooks %s", async (_, sayings) => {
  const { result, observer } = await judged(...sayings);
  expect(result).toMatchObject({ output: "deployed", gate: null, trail: [] });
  expect(observer.names).toEqual(["tool_pre", "tool_post"]);
});

it.each<[string, (() => Said)[]]>([
  ["synchronous", [allow, block("no"), ask("sure?"), silent]],
  ["asynchronous", [later(allow), later(block("no")), later(ask("sure?")), later(silent)]],
  ["a mixture", [later(ask("sure?")), ask("really?"), later(allow), block("no")]],
])("consults every hook, even after one that blocks, where hooks are %s", async (_, sayings) => {
  const { consulted, result } = await judged(...sayings);
  expect(consulted).toEqual([0, 1, 2, 3]);
  expect(result.output).toBe("no");
});

it.each<[string, (() => Said)[], string]>([
  ["before", [block("no"), ask("sure?")], "h0"],
  ["after", [ask("sure?"), block("no")], "h1"],
  ["after an asynchronous", [later(ask("sure?")), block("no")], "h1"],
  ["later after", [ask("sure?"), later(block("no"))], "h1"],
])("lets a block win over an ask when it comes %s it", async (_, sayings, name) => {
  const { result, prompts, inputs } = await judged(...sayings);
  expect(result).toMatchObject({ output: "no", isError: true, errorKind: "permission", durationMs: 0 });
  expect(result.gate).toMatchObject({ verdict: "deny", rule_id: name, rule_source: "hook", reason: "no" });
  expect(result.trail).toHaveLength(1);
  expect(prompts).toEqual([]);
  expect(inputs).toEqual([]);
});

it("takes the first of several blocks, and the first of several asks", async () => {
  const blocked = await judged(later(block("first")), block("second"));
  expect(blocked.result.gate).toMatchObject({ rule_id: "h0", reason: "first" });
  const asked = await judged(silent, later(ask("first?")), ask("second?"));
  expect(asked.prompts).toEqual(["first?"]);
});

it("records a block by an unnamed hook under `hook`, and keeps an empty name", async () => {
  const unnamed = engineFor({ hooks: [{ preToolUse: block("no") }] });
  expect((await unnamed.engine.dispatch(callOf())).gate).toMatchObject({ rule_id: "hook" });
  const empty = engineFor({ hooks: [{ name: "", preToolUse: block("no") }] });
  expect((await empty.engine.dispatch(callOf())).gate).toMatchObject({ rule_id: "" });
});

it("tells a hook what is called, and nobody else's business", async () => {
  const seen: unknown[] = [];
  const { engine } = engineFor({
    hooks: [
      {
        preToolUse: (event) => {
          seen.push({ ...event, signal: event.signal.aborted });
          return undefined;
        },
      },
    ],
  });
  await engine.dispatch(callOf({ turn: 2 }));
  expect(seen).toEqual([
    {
      toolName: "deploy",
      input: { target: "/srv" },
      sessionId: "s1",
      runId: "r1",
      turn: 2,
      callId: "c1",
      dryRun: false,
      signal: false,
    },
  ]);
});

it("gives a hook the call's own signal", async () => {
  const cancel = new AbortController();
  let seen: AbortSignal | undefined;
  const hook: PreToolUseHook = {
    preToolUse(event) {
      seen = event.signal;
      return undefined;
    },
  };
  await engineFor({ hooks: [hook] }).engine.dispatch(callOf({ signal: cancel.signal }));
  expect(seen).toBe(cancel.signal);
});

it.each<[string, (event: { input: unknown }) => Said]>([
  ["synchronous", (event) => void Object.assign(event.input as object, { target: "/etc" })],
  ["asynchronous", async (event) => void Object.assign(event.input as object, { target: "/etc" })],
])("runs what the model called whatever a %s hook does to its copy of the input", async (_, tamper) => {
  const given = { target: "/srv" };
  const { engine, inputs, gateEvent } = engineFor({
    hooks: [{ preToolUse: tamper }, { preToolUse: ask("sure?") }],
    askResolver: { interactive: false, resolve: () => "Approve" },
  });
  await engine.dispatch(callOf({ input: given }));
  expect(inputs).toEqual([{ target: "/srv" }]);
  expect(given).toEqual({ target: "/srv" });
  const { decision, effective_args_digest } = gateEvent();
  expect(effective_args_digest).toBe(decision.args_digest);
});

it("ends the call as cancelled under the name of the hook that was deciding", async () => {
  const cancel = new AbortController();
  const pending = deferred<undefined>();
  let consulted = false;
  const { engine, observer, clock, inputs } = engineFor({
    hooks: [
      { name: "slow", preToolUse: () => pending.promise },
      {
        preToolUse() {
          consulted = true;
          return undefined;
        },
      },
    ],
  });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  pending.resolve(undefined);
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([
    { verdict: "cancelled", rule_id: "slow", rule_source: "engine", reason: "cancelled while deciding" },
  ]);
  expect(consulted).toBe(false);
  expect(inputs).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

it("consults no further hook once one of them called the run off", async () => {
  const cancel = new AbortController();
  const { engine, observer, inputs } = engineFor({
    hooks: [
      {
        preToolUse() {
          cancel.abort();
          return undefined;
        },
      },
      { name: "next", preToolUse: ask("sure?") },
    ],
    askResolver: { interactive: false, resolve: () => "Approve" },
  });
  await expect(engine.dispatch(callOf({ signal: cancel.signal }))).rejects.toMatchObject({
    code: "run_cancelled",
  });
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled", rule_id: "next" }]);
  expect(observer.names).toEqual(["tool_pre", "gate_decision", "tool_post"]);
  expect(inputs).toEqual([]);
});

it("takes an executor that several engines share", async () => {
  const hooks = new HookExecutor([{ name: "h", preToolUse: block("no") }]);
  for (const { engine } of [engineFor({ hooks }), engineFor({ hooks })]) {
    expect((await engine.dispatch(callOf())).gate).toMatchObject({ rule_id: "h" });
  }
});
