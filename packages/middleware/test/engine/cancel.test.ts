import { getEventListeners } from "node:events";
import { PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import {
  confirmTools,
  HookAction,
  PermissionMiddleware,
  TimeoutMiddleware,
  type ToolMiddleware,
} from "../../src/index.js";
import {
  callOf,
  deferred,
  endingOf,
  engineFor,
  never,
  type Setup,
  toolOf,
  turn,
} from "../support/engine-harness.js";

const CANCELLED = { rejected: "run_cancelled" };

/** Dispatches a call under a signal, and calls it off once it waits. */
async function cancelledWhileWaiting(setup: Setup) {
  const cancel = new AbortController();
  const harness = engineFor(setup);
  const ending = endingOf(harness.engine.dispatch(callOf({ signal: cancel.signal })));
  await turn();
  cancel.abort();
  return { ending: await ending, signal: cancel.signal, ...harness };
}

it("announces, asks and runs nothing of a call that was cancelled before", async () => {
  const why = new Error("stop");
  const { engine, observer, inputs } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => "Approve" },
  });
  await expect(engine.dispatch(callOf({ signal: AbortSignal.abort(why) }))).rejects.toMatchObject({
    code: "run_cancelled",
    cause: why,
  });
  expect(observer.names).toEqual(["tool_pre", "tool_post"]);
  expect(observer.events[1]?.event).toMatchObject({ outcome: "cancelled" });
  expect(inputs).toEqual([]);
});

it.each<[string, Setup, object[]]>([
  ["a tool runs that does not heed it", { tools: [toolOf("deploy", () => {}, never)] }, []],
  [
    "an asynchronous check decides",
    { layers: [PermissionMiddleware.fromContext().withNamedCheck("slow", never)] },
    [{ rule_id: "slow", rule_source: "engine", reason: "cancelled while deciding" }],
  ],
  [
    "a gate's question waits",
    {
      layers: [PermissionMiddleware.fromContext().withNamedCheck("g", () => PermissionCheck.ask("?"))],
      askResolver: { interactive: false, resolve: never },
    },
    [{ rule_id: "g", rule_source: "middleware", reason: "cancelled while awaiting approval" }],
  ],
  [
    "a gate's question waits behind a time limit",
    {
      layers: [
        new TimeoutMiddleware(60_000),
        PermissionMiddleware.fromContext().withNamedCheck("g", () => PermissionCheck.ask("?")),
      ],
      askResolver: { interactive: false, resolve: never },
    },
    [{ rule_id: "g", rule_source: "middleware", reason: "cancelled while awaiting approval" }],
  ],
  ["a validator decides", { tools: [{ ...toolOf("deploy"), parse: () => never<{ value: unknown }>() }] }, []],
  ["a layer of somebody else's waits", { layers: [{ name: "slow", dispatch: never }] }, []],
])("rejects, with the record there is, while %s", async (_, setup, records) => {
  const { ending, observer, clock, signal } = await cancelledWhileWaiting(setup);
  expect(ending).toEqual(CANCELLED);
  expect(observer.decisions).toMatchObject(records.map((record) => ({ ...record, verdict: "cancelled" })));
  expect(observer.names.at(-1)).toBe("tool_post");
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "cancelled", duration_ms: 0 });
  expect(clock.timerCount).toBe(0);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

it.each(["before", "after"])("wins over an answer that lands in the same turn, %s it", async (order) => {
  const cancel = new AbortController();
  const answer = deferred<"Approve">();
  const { engine, observer, inputs } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => answer.promise },
  });
  const ending = endingOf(engine.dispatch(callOf({ signal: cancel.signal })));
  await turn();
  if (order === "before") cancel.abort();
  answer.resolve("Approve");
  if (order === "after") cancel.abort();
  expect(await ending).toEqual(CANCELLED);
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled" }]);
  expect(inputs).toEqual([]);
});

it.each(["before", "after"])("wins over a tool that finishes in the same turn, %s it", async (order) => {
  const cancel = new AbortController();
  const output = deferred<string>();
  const { engine, outcomes } = engineFor({
    tools: [
      toolOf(
        "deploy",
        () => {},
        () => output.promise,
      ),
    ],
  });
  const ending = endingOf(engine.dispatch(callOf({ signal: cancel.signal })));
  await turn();
  if (order === "before") cancel.abort();
  output.resolve("deployed");
  if (order === "after") cancel.abort();
  expect(await ending).toEqual(CANCELLED);
  expect(outcomes()).toEqual(["cancelled"]);
});

it("wins over a tool that answers its signal with a result", async () => {
  const heeding = toolOf(
    "deploy",
    () => {},
    (_input: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((resolve) => signal.addEventListener("abort", () => resolve("half done"), { once: true })),
  );
  const { ending, outcomes } = await cancelledWhileWaiting({ tools: [heeding] });
  expect(ending).toEqual(CANCELLED);
  expect(outcomes()).toEqual(["cancelled"]);
});

it("changes nothing of a call that is over", async () => {
  const cancel = new AbortController();
  const { engine, outcomes } = engineFor();
  const result = await engine.dispatch(callOf({ signal: cancel.signal }));
  cancel.abort();
  await turn();
  expect(result.output).toBe("deployed");
  expect(outcomes()).toEqual(["completed"]);
});

it("lets nothing run, ask or be recorded once the run was cancelled, whatever goes on inside", async () => {
  const cancel = new AbortController();
  const gone = deferred<void>();
  const slow: ToolMiddleware = {
    name: "slow",
    async dispatch(_context, next) {
      await gone.promise;
      return next();
    },
  };
  const asks: string[] = [];
  const { engine, observer, inputs } = engineFor({
    layers: [slow, PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("?"))],
    askResolver: (prompt) => asks.push(prompt) > 0,
  });
  const ending = endingOf(engine.dispatch(callOf({ signal: cancel.signal })));
  await turn();
  cancel.abort();
  expect(await ending).toEqual(CANCELLED);
  const before = observer.names;
  gone.resolve();
  await turn();
  expect(observer.names).toEqual(before);
  expect([asks, inputs]).toEqual([[], []]);
});

it("stops a tool from running when a check or a guard calls the run off by itself", async () => {
  for (const setup of [
    (cancel: AbortController): Setup => ({
      layers: [
        PermissionMiddleware.fromContext().withCheck(() => {
          cancel.abort();
          return PermissionCheck.allow();
        }),
      ],
    }),
    (cancel: AbortController): Setup => ({
      guards: [
        {
          name: "g",
          before() {
            cancel.abort();
            return null;
          },
        },
      ],
    }),
  ]) {
    const cancel = new AbortController();
    const { engine, inputs, outcomes } = engineFor(setup(cancel));
    expect(await endingOf(engine.dispatch(callOf({ signal: cancel.signal })))).toEqual(CANCELLED);
    expect(inputs).toEqual([]);
    expect(outcomes()).toEqual(["cancelled"]);
  }
});

it("leaves no listener behind on a signal that many calls share, however they end", async () => {
  const cancel = new AbortController();
  const { engine } = engineFor({
    hooks: [{ preToolUse: ({ turn: count }) => (count % 3 === 0 ? HookAction.ask("?") : undefined) }],
    layers: [PermissionMiddleware.fromContext().withCheck(async () => PermissionCheck.allow())],
    askResolver: { interactive: false, resolve: ({ turn: count }) => (count % 2 === 0 ? "Approve" : "Deny") },
  });
  for (let count = 0; count < 100; count++) {
    await engine.dispatch(callOf({ signal: cancel.signal, turn: count }));
    expect(getEventListeners(cancel.signal, "abort")).toEqual([]);
  }
});
