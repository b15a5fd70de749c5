import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import {
  circuitBreaker,
  type DispatchGuard,
  HookAction,
  PermissionMiddleware,
  RunStoppedError,
  repeatGuard,
} from "../../src/index.js";
import { callOf, engineFor, never, toolOf, turn } from "../support/engine-harness.js";

type Before = DispatchGuard["before"];

class Enough {
  get action() {
    return "stop" as const;
  }
  get reason() {
    return "enough";
  }
}

const guardOf = (before: Before, name = "g"): DispatchGuard => ({ name, before });
const boom = () => {
  throw new Error("secret stack");
};
/** An answer whose members cannot be read. */
const unreadable = () => Object.defineProperty({}, "action", { get: boom }) as ReturnType<Before>;

it("gives a refusal as an error result of kind guard, without a record", async () => {
  const { engine, observer, inputs } = engineFor({
    guards: [guardOf(() => ({ action: "refuse", reason: "not now" }))],
    layers: [PermissionMiddleware.allowAll()],
  });
  expect(await engine.dispatch(callOf())).toEqual({
    callId: "c1",
    output: "not now",
    isError: true,
    errorKind: "guard",
    durationMs: 0,
    cached: false,
    gate: null,
    trail: [],
  });
  expect(observer.names).toEqual(["tool_pre", "tool_post"]);
  expect(observer.events[1]?.event).toMatchObject({ outcome: "failed" });
  expect(inputs).toEqual([]);
});

it.each<[string, Before]>([
  ["at once", () => ({ action: "stop", reason: "enough" })],
  ["later", async () => ({ action: "stop", reason: "enough" })],
  ["by accessors of a class", () => new Enough()],
])("rejects with the text for the model when a guard stops the run %s", async (_, before) => {
  const results: unknown[] = [];
  const { engine, observer, inputs } = engineFor({
    guards: [guardOf(before)],
    observers: [{ onToolPost: (_event, { result }) => void results.push(result) }],
  });
  const error = await engine.dispatch(callOf()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RunStoppedError);
  const { result, code, message } = error as RunStoppedError;
  expect(code).toBe("run_stopped");
  expect(message).toBe("dispatch refused before execution: enough");
  expect(result).toMatchObject({
    callId: "c1",
    output: "dispatch refused before execution: enough",
    isError: true,
    errorKind: "guard",
  });
  expect(results).toEqual([result]);
  expect(observer.events[1]?.event).toMatchObject({ outcome: "stopped" });
  expect(inputs).toEqual([]);
});

it.each<[string, Before]>([
  ["throws", boom],
  ["rejects", async () => boom()],
  ["gives undefined", () => undefined as unknown as null],
  ["gives an unknown action", () => ({ action: "allow", reason: "" }) as unknown as null],
  ["gives no reason", async () => ({ action: "stop" }) as unknown as null],
  ["gives what cannot be read", () => unreadable()],
  ["gives a promise of what cannot be read", () => Promise.resolve(unreadable())],
])("refuses and reports when a guard %s", async (_, before) => {
  const { engine, errors, inputs } = engineFor({ guards: [guardOf(before)] });
  expect(await engine.dispatch(callOf())).toMatchObject({ output: "guard error", errorKind: "guard" });
  expect(errors()).toEqual(["The guard 'g' failed on a call of tool 'deploy'."]);
  expect(inputs).toEqual([]);
});

it("refuses when a guard takes longer than it may", async () => {
  const { engine, clock, errors } = engineFor({ guards: [guardOf(never)], checkTimeoutMs: 50 });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(50);
  expect(await running).toMatchObject({ output: "guard error", errorKind: "guard" });
  expect(errors()).toHaveLength(1);
  expect(clock.timerCount).toBe(0);
});

it.each(["cancelled", "closed"])(
  "ends as cancelled, without blame, when the run is %s meanwhile",
  async (how) => {
    const cancel = new AbortController();
    const { engine, clock, errors, inputs, observer } = engineFor({ guards: [guardOf(never)] });
    const running = engine.dispatch(callOf({ signal: cancel.signal }));
    const ending = expect(running).rejects.toMatchObject({ code: "run_cancelled" });
    await turn();
    if (how === "cancelled") cancel.abort();
    else await engine.close();
    await ending;
    expect(observer.names).toEqual(["tool_pre", "tool_post"]);
    expect(errors()).toEqual([]);
    expect(inputs).toEqual([]);
    expect(clock.timerCount).toBe(0);
  },
);

it("consults guards in order, each once, and none after the first objection", async () => {
  const consulted: string[] = [];
  const told: string[] = [];
  const guard = (name: string, answer: ReturnType<Before>): DispatchGuard => ({
    name,
    before(call) {
      consulted.push(`${name} ${call.toolName} ${call.callId} ${"dryRun" in call}`);
      return answer;
    },
    after: (call, result) => void told.push(`${name} ${call.callId} ${result.output}`),
  });
  const passing = engineFor({
    guards: [guard("a", null), guard("b", Promise.resolve(null)), guard("c", null)],
  });
  await passing.engine.dispatch(callOf());
  expect(consulted).toEqual(["a deploy c1 false", "b deploy c1 false", "c deploy c1 false"]);
  expect(told).toEqual(["a c1 deployed", "b c1 deployed", "c c1 deployed"]);

  consulted.length = 0;
  told.length = 0;
  const objection = { action: "refuse", reason: "no" } as const;
  const refusing = engineFor({
    guards: [guard("a", Promise.resolve(null)), guard("b", objection), guard("c", null)],
  });
  await refusing.engine.dispatch(callOf());
  expect(consulted).toHaveLength(2);
  expect(told).toEqual([]);
});

it.each<[string, () => unknown]>([
  ["throws", boom],
  ["rejects", async () => boom()],
])("reports, and changes nothing, when a guard %s afterwards", async (_, after) => {
  const { engine, errors } = engineFor({
    guards: [{ name: "g", before: () => null, after } as DispatchGuard],
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  await turn();
  expect(errors()).toEqual(["The guard 'g' failed on a call of tool 'deploy'."]);
});

it("does not consult guards about a call that was refused before", async () => {
  let consulted = 0;
  const { engine } = engineFor({
    hooks: [{ preToolUse: () => HookAction.block("no") }],
    guards: [
      guardOf(() => {
        consulted++;
        return null;
      }),
    ],
  });
  await engine.dispatch(callOf());
  await engine.dispatch(callOf({ toolName: "unknown" }));
  expect(consulted).toBe(0);
});

it("opens the circuit of a tool that keeps failing, and closes it when a trial succeeds", async () => {
  let broken = true;
  const tool = toolOf("deploy", () => {
    if (broken) throw new Error("down");
  });
  const clock = new ManualClock();
  const { engine } = engineFor({
    tools: [tool],
    guards: [circuitBreaker({ failureThreshold: 2, resetAfterMs: 1_000, clock })],
  });
  for (const callId of ["c1", "c2"]) await engine.dispatch(callOf({ callId }));
  expect(await engine.dispatch(callOf({ callId: "c3" }))).toMatchObject({
    output: "tool temporarily unavailable: circuit breaker open",
    errorKind: "guard",
  });
  clock.advance(1_000);
  expect(await engine.evaluate(callOf({ callId: "c4" }))).toBeNull();
  broken = false;
  expect((await engine.dispatch(callOf({ callId: "c5" }))).output).toBe("done");
  expect((await engine.dispatch(callOf({ callId: "c6" }))).output).toBe("done");
});

it("stops a run that repeats itself, and does not count dry runs", async () => {
  const { engine } = engineFor({ guards: [repeatGuard({ limit: 2 })] });
  for (let dry = 0; dry < 5; dry++) expect(await engine.evaluate(callOf())).toBeNull();
  await engine.dispatch(callOf({ callId: "c1" }));
  await engine.dispatch(callOf({ callId: "c2" }));
  expect(await engine.evaluate(callOf())).toMatchObject({ verdict: "deny", rule_id: "repeat-guard" });
  const error = await engine.dispatch(callOf({ callId: "c3" })).catch((thrown: unknown) => thrown);
  expect((error as RunStoppedError).result.output).toBe(
    "dispatch refused before execution: tool 'deploy' was called with the same input more than 2 times in a row",
  );
});
