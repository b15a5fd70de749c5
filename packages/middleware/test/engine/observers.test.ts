import { expect, it } from "vitest";
import { confirmTools, type EngineObserver, PermissionMiddleware } from "../../src/index.js";
import { callOf, deferred, engineFor, type Setup, toolOf, turn } from "../support/engine-harness.js";

const METHODS = ["onToolPre", "onAskParked", "onGateDecision", "onToolPost"] as const;
const boom = () => {
  throw new Error("boom");
};

/** A call on which all four kinds of event come about. */
const asked: Setup = {
  hooks: [confirmTools(["deploy"])],
  askResolver: { interactive: false, resolve: () => "Approve" },
  layers: [PermissionMiddleware.allowAll()],
};

it.each<[string, () => unknown]>([
  ["throw", boom],
  ["reject", async () => boom()],
])("isolates and reports observers that %s, in every method", async (_, fail) => {
  const failing = Object.fromEntries(METHODS.map((name) => [name, fail])) as EngineObserver;
  const after: string[] = [];
  const next = Object.fromEntries(
    METHODS.map((name) => [name, () => void after.push(name)]),
  ) as EngineObserver;
  const { engine, errors } = engineFor({ ...asked, observers: [failing, next] });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  await engine.close();
  expect(after).toEqual(METHODS);
  expect(errors()).toEqual(Array(4).fill("An observer of the engine failed."));
});

it("does not wait for observers that are slow", async () => {
  const slow = deferred<void>();
  const { engine, observer } = engineFor({
    observers: [{ onToolPre: () => slow.promise, onToolPost: () => slow.promise }],
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  expect(observer.names).toEqual(["tool_pre", "tool_post"]);
  slow.resolve();
  await engine.close();
});

it("awaits what an observer does when it is told by another's slowness", async () => {
  const slow = deferred<void>();
  const taken: string[] = [];
  const { engine } = engineFor({
    observers: [
      { onToolPre: () => slow.promise.then(() => void taken.push("pre")) },
      { onToolPost: () => slow.promise.then(turn).then(() => void taken.push("post")) },
    ],
  });
  await engine.dispatch(callOf());
  slow.resolve();
  await engine.close();
  expect(taken).toEqual(["pre", "post"]);
});

it("needs no method of an observer", async () => {
  const { engine, errors } = engineFor({ ...asked, observers: [{}] });
  await engine.dispatch(callOf());
  expect(errors()).toEqual([]);
});

it("announces a question before anybody can answer it", async () => {
  const order: string[] = [];
  const { engine } = engineFor({
    ...asked,
    askResolver: {
      interactive: false,
      resolve() {
        order.push("resolve");
        return "Approve";
      },
    },
    observers: [{ onAskParked: ({ ask }) => void order.push(`parked ${ask.call_id}`) }],
  });
  await engine.dispatch(callOf());
  expect(order).toEqual(["parked c1", "resolve"]);
});

it("gives every observer events of its own, so that none can change what others see or what is decided", async () => {
  const tampering: EngineObserver = {
    onToolPre: (event, call) =>
      void [Object.assign(event, { tool: "x" }), Object.assign(call.input as object, { target: "/etc" })],
    onAskParked({ ask }) {
      ask.rememberable?.push("this_tool");
      Object.assign(ask, { prompt: "harmless", args_digest: "0" });
    },
    onGateDecision(event) {
      Object.assign(event.decision, { verdict: "deny" });
      event.trail.splice(0);
    },
    onToolPost: (_event, { result }) => void Object.assign(result ?? {}, { output: "forged", isError: true }),
  };
  const { engine, inputs } = engineFor({ ...asked, observers: [tampering] });
  const plain = engineFor(asked);
  const given = { target: "/srv" };
  expect(await engine.dispatch(callOf({ input: given }))).toEqual(await plain.engine.dispatch(callOf()));
  expect(given).toEqual({ target: "/srv" });
  expect(inputs).toEqual([{ target: "/srv" }]);
});

it("shows arguments and results apart from events, and no result where the run was cancelled", async () => {
  const seen: unknown[] = [];
  const observer: EngineObserver = {
    onToolPre: (_event, { input }) => void seen.push(input),
    onToolPost: (_event, { result }) => void seen.push(result),
  };
  const { engine } = engineFor({ observers: [observer] });
  const result = await engine.dispatch(callOf());
  expect(seen).toEqual([{ target: "/srv" }, result]);
  seen.length = 0;
  await engine.dispatch(callOf({ signal: AbortSignal.abort() })).catch(() => {});
  expect(seen).toEqual([{ target: "/srv" }, null]);
  seen.length = 0;
  await engine.dispatch(callOf({ input: 1n }));
  expect(seen[0]).toBeUndefined();
});

it("tells of an output that JSON cannot hold as far as it can be copied", async () => {
  const seen: unknown[] = [];
  const at = new Date(0);
  const { engine } = engineFor({
    tools: [toolOf("deploy", () => {}, { at })],
    observers: [{ onToolPost: (_event, { result }) => void seen.push(result?.output) }],
  });
  await engine.dispatch(callOf());
  expect(seen).toEqual([{ at }]);
});

it("survives a host whose onReport throws", async () => {
  const { engine, observer } = engineFor({
    ...asked,
    onReport: boom,
    observers: [{ onToolPre: boom, onToolPost: boom }],
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  expect(observer.names).toEqual(["tool_pre", "ask_parked", "ask_answered", "gate_decision", "tool_post"]);
});
