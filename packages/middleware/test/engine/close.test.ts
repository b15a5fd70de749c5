import { PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import {
  confirmTools,
  type EngineObserver,
  PermissionMiddleware,
  TimeoutMiddleware,
  type ToolEngine,
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

it("refuses calls afterwards, without announcing them", async () => {
  const { engine, observer } = engineFor();
  await engine.close();
  await expect(engine.dispatch(callOf())).rejects.toMatchObject({ code: "closed" });
  expect(observer.names).toEqual([]);
});

it("refuses calls from the moment on when it is called", async () => {
  const { engine } = engineFor();
  const closing = engine.close();
  await expect(engine.dispatch(callOf())).rejects.toMatchObject({ code: "closed" });
  await closing;
});

it.each<[string, Setup, string]>([
  ["a hook's question", { hooks: [confirmTools(["deploy"])] }, "cancelled while awaiting approval"],
  [
    "a gate's question",
    { layers: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("?"))] },
    "cancelled while awaiting approval",
  ],
  ["a hook", { hooks: [{ preToolUse: never }] }, "cancelled while deciding"],
  ["a check", { layers: [PermissionMiddleware.fromContext().withCheck(never)] }, "cancelled while deciding"],
])("ends %s that waits as cancelled", async (_, setup, reason) => {
  const resolver = scriptedResolver(["never"]);
  const { engine, observer, clock, inputs } = engineFor({ askResolver: resolver, ...setup });
  const ending = endingOf(engine.dispatch(callOf()));
  await turn();
  await engine.close();
  expect(await ending).toEqual(CANCELLED);
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled", reason }]);
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "cancelled" });
  expect(resolver.outcomes.map(({ outcome }) => outcome)).toEqual(resolver.asks.map(() => "cancelled"));
  expect(inputs).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

it("lets a tool that runs finish, and waits for it", async () => {
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
  const running = engine.dispatch(callOf());
  await turn();
  let closed = false;
  const closing = engine.close().then(() => {
    closed = true;
  });
  await turn();
  expect(closed).toBe(false);
  output.resolve("deployed after all");
  expect((await running).output).toBe("deployed after all");
  await closing;
  expect(outcomes()).toEqual(["completed"]);
});

it("leaves a running tool the time limit that it has", async () => {
  const output = deferred<string>();
  const slow = toolOf(
    "deploy",
    () => {},
    () => output.promise,
  );
  const { engine, clock } = engineFor({ tools: [slow], layers: [new TimeoutMiddleware(60_000)] });
  const [first, second] = [engine.dispatch(callOf()), engine.dispatch(callOf())];
  await turn();
  const closing = engine.close();
  await turn();
  expect(clock.timerCount).toBe(2);
  output.resolve("deployed after all");
  expect((await first).output).toBe("deployed after all");
  expect((await second).output).toBe("deployed after all");
  await closing;
  expect(clock.timerCount).toBe(0);
});

it("takes the failure of a tool that was running for a failure", async () => {
  const output = deferred<string>();
  const slow = toolOf(
    "deploy",
    () => {},
    () => output.promise,
  );
  const { engine, outcomes } = engineFor({ tools: [slow] });
  const running = engine.dispatch(callOf());
  await turn();
  const closing = engine.close();
  output.reject(new Error("disk full"));
  expect(await running).toMatchObject({ errorKind: "tool", output: "Tool 'deploy' failed: disk full" });
  await closing;
  expect(outcomes()).toEqual(["failed"]);
});

it.each(["before", "after"])("ends a question about a second try that is put %s it", async (when) => {
  const output = deferred<string>();
  const retrying: ToolMiddleware = {
    name: "retry",
    async dispatch(_context, next) {
      const first = await next();
      return first.isError ? next() : first;
    },
  };
  let tries = 0;
  const check = () => (tries++ === 0 ? PermissionCheck.allow() : PermissionCheck.ask("again?"));
  const flaky = toolOf(
    "deploy",
    () => {},
    () => output.promise,
  );
  const { engine, observer, clock } = engineFor({
    tools: [flaky],
    layers: [retrying, PermissionMiddleware.fromContext().withCheck(check)],
    askResolver: { interactive: false, resolve: never },
  });
  const ending = endingOf(engine.dispatch(callOf()));
  await turn();
  const early = when === "after" ? engine.close() : null;
  output.reject(new Error("flaky"));
  await turn();
  await (early ?? engine.close());
  expect(await ending).toEqual(CANCELLED);
  expect(observer.decisions).toMatchObject([{ verdict: "cancelled" }]);
  expect(clock.timerCount).toBe(0);
});

it("waits for what observers and resolvers have not taken yet", async () => {
  const slow = deferred<void>();
  const taken: string[] = [];
  const observer: EngineObserver = {
    async onToolPre() {
      await slow.promise;
      taken.push("tool_pre");
    },
  };
  const { engine } = engineFor({
    observers: [observer],
    hooks: [confirmTools(["deploy"])],
    askResolver: {
      interactive: false,
      resolve: () => "Approve",
      async settled() {
        await slow.promise;
        await turn();
        taken.push("settled");
      },
    },
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  const closing = engine.close();
  await turn();
  expect(taken).toEqual([]);
  slow.resolve();
  await closing;
  expect(taken).toEqual(["tool_pre", "settled"]);
});

it("may be called twice, at once and again", async () => {
  const { engine, outcomes } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: never },
  });
  const ending = endingOf(engine.dispatch(callOf()));
  await turn();
  await Promise.all([engine.close(), engine.close()]);
  await engine.close();
  expect(await ending).toEqual(CANCELLED);
  expect(outcomes()).toEqual(["cancelled"]);
});

it("closes at the end of an `await using` block", async () => {
  const { engine } = engineFor();
  await engine[Symbol.asyncDispose]();
  await expect(engine.dispatch(callOf())).rejects.toMatchObject({ code: "closed" });
});

it.each<[string, (engine: () => ToolEngine) => Setup]>([
  ["an observer of tool_pre", (engine) => ({ observers: [{ onToolPre: () => void engine().close() }] })],
  [
    "a hook",
    (engine) => ({
      hooks: [{ preToolUse: () => void engine().close() }, confirmTools(["deploy"])],
    }),
  ],
  [
    "a check",
    (engine) => ({
      layers: [
        PermissionMiddleware.fromContext().withCheck(() => {
          void engine().close();
          return PermissionCheck.ask("?");
        }),
      ],
    }),
  ],
  [
    "an observer of ask_parked",
    (engine) => ({
      hooks: [confirmTools(["deploy"])],
      observers: [{ onAskParked: () => void engine().close() }],
    }),
  ],
])("cancels the very call during which %s closes the engine", async (_, setup) => {
  const holder: ToolEngine[] = [];
  const { engine, outcomes, inputs, clock } = engineFor({
    askResolver: { interactive: false, resolve: never },
    ...setup(() => holder[0] as ToolEngine),
  });
  holder.push(engine);
  expect(await endingOf(engine.dispatch(callOf()))).toEqual(CANCELLED);
  await engine.close();
  expect(outcomes()).toEqual(["cancelled"]);
  expect(inputs).toEqual([]);
  expect(clock.timerCount).toBe(0);
});
