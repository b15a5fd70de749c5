import { expect, it } from "vitest";
import {
  confirmTools,
  type DispatchEntry,
  PermissionMiddleware,
  repeatGuard,
  type ToolCall,
  ToolPermissionError,
} from "../../src/index.js";
import { callOf, deferred, engineFor, never, toolOf, turn } from "../support/engine-harness.js";

const callsOf = (count: number, more: Partial<ToolCall> = {}) =>
  Array.from({ length: count }, (_, index) => callOf({ callId: `c${index}`, input: { index }, ...more }));

const statuses = (entries: readonly DispatchEntry[]) => entries.map(({ status }) => status);

const unreadable = (thrown: unknown) =>
  Object.defineProperty({ callId: "c9" }, "toolName", {
    get() {
      throw thrown;
    },
  });

/** A tool whose calls finish when they are told to, with how many ran and run. */
function gatedTool() {
  const open = new Map<number, (output: unknown) => void>();
  const started: number[] = [];
  let most = 0;
  const tool = toolOf(
    "deploy",
    () => {},
    async (input: unknown) => {
      const { index } = input as { index: number };
      const { promise, resolve } = deferred<unknown>();
      open.set(index, resolve);
      started.push(index);
      most = Math.max(most, open.size);
      return promise;
    },
  );
  const finish = async (index: number) => {
    open.get(index)?.(`out ${index}`);
    open.delete(index);
    await turn();
  };
  return { tool, started, finish, most: () => most };
}

it("gives one entry per call in the model's order, whichever finishes first", async () => {
  const { tool, finish } = gatedTool();
  const { engine } = engineFor({ tools: [tool] });
  const running = engine.dispatchAll(callsOf(3));
  await turn();
  for (const index of [2, 0, 1]) await finish(index);
  expect(await running).toMatchObject([
    { status: "completed", result: { callId: "c0", output: "out 0" } },
    { status: "completed", result: { callId: "c1", output: "out 1" } },
    { status: "completed", result: { callId: "c2", output: "out 2" } },
  ]);
});

it("gives nothing for no calls", async () => {
  expect(await engineFor().engine.dispatchAll([])).toEqual([]);
});

it.each([
  [undefined, 10],
  [1, 1],
  [3, 3],
  [2.9, 2],
  [Number.POSITIVE_INFINITY, 25],
])("runs at most so many at once with maxConcurrency %s", async (maxConcurrency, limit) => {
  const { tool, started, finish, most } = gatedTool();
  const { engine } = engineFor({ tools: [tool] });
  const running = engine.dispatchAll(callsOf(25), maxConcurrency === undefined ? {} : { maxConcurrency });
  await turn();
  expect(started).toHaveLength(limit);
  for (let index = 0; index < 25; index++) await finish(index);
  expect(statuses(await running)).toEqual(Array(25).fill("completed"));
  expect(most()).toBe(limit);
  expect(started).toEqual(Array.from({ length: 25 }, (_, index) => index));
});

it.each([0, -1, 0.5, Number.NaN, "3", null])("refuses maxConcurrency %s", async (maxConcurrency) => {
  const { engine, observer } = engineFor();
  const running = engine.dispatchAll(callsOf(2), { maxConcurrency: maxConcurrency as number });
  await expect(running).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringContaining("maxConcurrency"),
  });
  expect(observer.names).toEqual([]);
});

it("gives each ask its own id, and its own answer", async () => {
  const ids = new Set<string>();
  const { engine } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: {
      interactive: false,
      async resolve({ id, call_id }) {
        ids.add(id);
        await turn();
        return call_id === "c1" ? "Deny" : "Approve";
      },
    },
  });
  const entries = await engine.dispatchAll(callsOf(3));
  expect(ids.size).toBe(3);
  expect(entries).toMatchObject([
    { result: { output: "deployed" } },
    { result: { isError: true, gate: { verdict: "ask_denied" } } },
    { result: { output: "deployed" } },
  ]);
});

it("lets no refused, failing, unknown or invalid call stop a sibling", async () => {
  const tool = toolOf("deploy", (input) => {
    const { index } = input as { index: number };
    if (index === 0) throw new Error("boom");
    if (index === 1) throw new ToolPermissionError("not for you");
  });
  const { engine } = engineFor({
    tools: [tool, toolOf("other")],
    layers: [PermissionMiddleware.denyAll().withToolCheck("deploy", { kind: "allow" })],
  });
  const [, , ...rest] = callsOf(4);
  const calls = [
    ...callsOf(2),
    callOf({ toolName: "other" }),
    callOf({ toolName: "missing" }),
    callOf({ input: 1n }),
    ...rest,
  ];
  const entries = await engine.dispatchAll(calls, { maxConcurrency: 1 });
  expect(statuses(entries)).toEqual(Array(7).fill("completed"));
  expect(entries.map((entry) => entry.status === "completed" && entry.result.errorKind)).toEqual([
    "tool",
    "permission",
    "permission",
    "unknown_tool",
    "permission",
    null,
    null,
  ]);
});

it("starts nothing new after a stop, and lets running siblings finish", async () => {
  const { tool, finish, started } = gatedTool();
  const same = callOf({ callId: "again", input: { index: 1 } });
  const { engine, outcomes } = engineFor({ tools: [tool], guards: [repeatGuard({ limit: 1 })] });
  const [first, second] = callsOf(2);
  const running = engine.dispatchAll([first, second, same, callOf({ callId: "never" })] as ToolCall[], {
    maxConcurrency: 3,
  });
  await turn();
  expect(started).toEqual([0, 1]);
  await finish(0);
  await finish(1);
  const entries = await running;
  expect(entries).toMatchObject([
    { status: "completed", result: { output: "out 0" } },
    { status: "completed", result: { output: "out 1" } },
    { status: "stopped", reason: expect.stringMatching(/^dispatch refused before execution: /) },
    { status: "not_started", reason: "the run was stopped" },
  ]);
  expect(outcomes()).toEqual(["stopped", "completed", "completed"]);
});

it("starts nothing new after a cancel", async () => {
  const cancel = new AbortController();
  const { engine, observer } = engineFor({ tools: [toolOf("deploy", () => {}, never)] });
  const running = engine.dispatchAll(callsOf(4, { signal: cancel.signal }), { maxConcurrency: 2 });
  await turn();
  cancel.abort();
  const cancelled = { status: "cancelled", reason: "The run was cancelled during a call of tool 'deploy'." };
  const idle = { status: "not_started", reason: "the run was cancelled" };
  expect(await running).toEqual([cancelled, cancelled, idle, idle]);
  expect(observer.names.filter((name) => name === "tool_pre")).toHaveLength(2);
});

it("says of every call that the engine was closed before it", async () => {
  const { engine, observer } = engineFor();
  await engine.close();
  const entries = await engine.dispatchAll(callsOf(3), { maxConcurrency: 1 });
  const reason = "The engine is closed and takes no further calls.";
  expect(entries).toEqual(Array(3).fill({ status: "not_started", reason }));
  expect(observer.names).toEqual([]);
});

it("starts nothing new, and cancels what waits, when the engine is closed meanwhile", async () => {
  const { engine } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: never },
  });
  const running = engine.dispatchAll(callsOf(3), { maxConcurrency: 2 });
  await turn();
  await engine.close();
  expect(statuses(await running)).toEqual(["cancelled", "cancelled", "not_started"]);
});

it.each<[string, unknown]>([
  ["null", null],
  ["a call that cannot be read", unreadable(new Error("boom"))],
  ["a call that throws something else", unreadable("boom")],
])("gives an entry, and never rejects, for %s", async (_, call) => {
  const { engine } = engineFor();
  const entries = await engine.dispatchAll([call as ToolCall, callOf()]);
  expect(entries).toMatchObject([
    { status: "completed", result: { isError: true, errorKind: "validation" } },
    { status: "completed", result: { output: "deployed" } },
  ]);
});

it("dispatches the calls that it was given, whatever becomes of the caller's array", async () => {
  const { engine } = engineFor();
  const calls = callsOf(2);
  const running = engine.dispatchAll(calls, { maxConcurrency: 1 });
  calls.splice(1, 1);
  calls.push(...callsOf(5));
  expect(await running).toHaveLength(2);
});
