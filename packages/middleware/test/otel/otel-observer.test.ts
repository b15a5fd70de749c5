import {
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { argsDigest, PermissionCheck } from "@x/permission-core";
import { afterEach, describe, expect, it } from "vitest";
import { PermissionMiddleware, type Tool } from "../../src/index.js";
import { type OtelObserverOptions, otelObserver } from "../../src/otel/index.js";
import {
  callOf,
  deferred,
  endingOf,
  engineFor,
  type Setup,
  toolOf,
  turn,
} from "../support/engine-harness.js";

const SECRET = "hunter2";

/** An engine that is traced, and the spans that have ended. */
function tracedEngine(setup: Setup = {}, options: OtelObserverOptions = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const tracer = provider.getTracer("test");
  return {
    ...engineFor({ ...setup, observers: [otelObserver({ tracer, ...options })] }),
    tracer,
    spans: () => exporter.getFinishedSpans(),
  };
}

const gateOf = (check: PermissionCheck) => [PermissionMiddleware.fromContext().withCheck(() => check)];

describe("the span of a call", () => {
  it("is named by the tool, and tells who called, and what was decided", async () => {
    const input = { target: "/srv" };
    const { engine, spans } = tracedEngine({ layers: gateOf(PermissionCheck.allow()), agent: "reviewer" });
    await engine.dispatch(callOf({ input, turn: 3 }));
    expect(spans().map(({ name }) => name)).toEqual(["execute_tool deploy"]);
    const [span] = spans();
    expect(span?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "deploy",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": "c1",
      "gen_ai.conversation.id": "s1",
      "gen_ai.agent.name": "reviewer",
      "permission_gate.run_id": "r1",
      "permission_gate.turn": 3,
      "permission_gate.args_digest": argsDigest(input),
      "permission_gate.effective_args_digest": argsDigest(input),
      "permission_gate.verdict": "allow",
      "permission_gate.rule_id": "middleware",
      "permission_gate.rule_source": "middleware",
      "permission_gate.outcome": "completed",
    });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
    expect(span?.events.map(({ name }) => name)).toEqual(["permission_gate.decision"]);
  });

  it("lasts as long as the dispatch, and has the question and the decision as events in between", async () => {
    const answer = deferred<"Approve" | "Deny">();
    const { engine, spans } = tracedEngine({
      layers: gateOf(PermissionCheck.ask("May it?", { details: SECRET })),
      askResolver: { interactive: false, resolve: () => answer.promise },
    });
    const dispatched = engine.dispatch(callOf());
    await turn();
    expect(spans()).toEqual([]);
    answer.resolve("Deny");
    await dispatched;
    const [span] = spans();
    const [parked, answered, decided] = span?.events ?? [];
    expect([parked?.name, answered?.name, decided?.name]).toEqual([
      "permission_gate.ask_parked",
      "permission_gate.ask_answered",
      "permission_gate.decision",
    ]);
    expect(answered?.attributes).toEqual({
      "permission_gate.ask_id": parked?.attributes?.["permission_gate.ask_id"],
      "permission_gate.verdict": "ask_denied",
    });
    expect(parked?.attributes?.["permission_gate.ask_id"]).toBe(
      decided?.attributes?.["permission_gate.ask_id"],
    );
    expect(span?.attributes).toMatchObject({
      "permission_gate.verdict": "ask_denied",
      "permission_gate.rule_source": "ask_resolver",
      "permission_gate.outcome": "denied",
    });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it("has the status of an error where the call failed, with its kind and without its message", async () => {
    const failing: Tool = toolOf("deploy", () => {
      throw new Error(SECRET);
    });
    const { engine, spans } = tracedEngine({ tools: [failing] });
    await engine.dispatch(callOf());
    await engine.dispatch(callOf({ toolName: "unknown" }));
    expect(spans().map(({ status, attributes }) => [status, attributes["error.type"]])).toEqual([
      [{ code: SpanStatusCode.ERROR }, "tool"],
      [{ code: SpanStatusCode.ERROR }, "unknown_tool"],
    ]);
  });

  it("holds no arguments, outputs, prompts, details, reasons or answers", async () => {
    const { engine, spans } = tracedEngine({
      layers: [
        PermissionMiddleware.fromContext().withCheck(({ toolName, input }) =>
          toolName === "ask"
            ? PermissionCheck.ask(`Run ${JSON.stringify(input)}?`, { details: SECRET })
            : PermissionCheck.deny(`not ${SECRET}`),
        ),
      ],
      tools: [toolOf("ask", () => {}, SECRET), toolOf("deny")],
      askResolver: {
        interactive: false,
        resolve: () => ({ resolution: "Approve", reason: SECRET, modified_input: { rewritten: SECRET } }),
      },
    });
    for (const toolName of ["ask", "deny"]) await engine.dispatch(callOf({ toolName, input: { SECRET } }));
    expect(spans()).toHaveLength(2);
    for (const { name, attributes, events, status } of spans()) {
      expect(JSON.stringify([name, attributes, events, status])).not.toContain(SECRET);
    }
  });

  it.each([
    ["cancelled", { signal: AbortSignal.abort() }],
    ["stopped", {}],
  ])("ends where the run was %s", async (outcome, more) => {
    const stopping = { name: "stop", before: () => ({ action: "stop" as const, reason: "enough" }) };
    const { engine, spans } = tracedEngine({ guards: [stopping] });
    await endingOf(engine.dispatch(callOf(more)));
    expect(spans().map(({ attributes }) => attributes["permission_gate.outcome"])).toEqual([outcome]);
  });

  it("is one for each call, also of calls of one name", async () => {
    const { engine, spans } = tracedEngine();
    await Promise.all([
      engine.dispatch(callOf()),
      engine.dispatch(callOf()),
      engine.dispatch(callOf({ turn: 2 })),
    ]);
    expect(new Set(spans().map((span) => span.spanContext().spanId)).size).toBe(3);
  });

  it("is ended as abandoned where too many are open, and the call's end is then passed over", async () => {
    const answers = [deferred<"Deny">(), deferred<"Deny">(), deferred<"Deny">()];
    let asked = 0;
    const { engine, spans, errors } = tracedEngine(
      {
        layers: gateOf(PermissionCheck.ask("?")),
        askResolver: { interactive: false, resolve: () => answers[asked++]?.promise ?? "Deny" },
      },
      { maxOpenSpans: 2 },
    );
    const calls = answers.map((_, index) => engine.dispatch(callOf({ callId: `c${index}` })));
    await turn();
    expect(spans().map(({ attributes }) => attributes["permission_gate.abandoned"])).toEqual([true]);
    for (const answer of answers) answer.resolve("Deny");
    await Promise.all(calls);
    expect(spans().map(({ attributes }) => attributes["gen_ai.tool.call.id"])).toEqual(["c0", "c1", "c2"]);
    expect(errors()).toEqual([]);
  });
});

describe("the parent of a span", () => {
  afterEach(() => {
    context.disable();
    trace.disable();
  });

  it("is the span that is active where the call is dispatched", async () => {
    context.setGlobalContextManager(synchronousContexts());
    const { engine, tracer, spans } = tracedEngine();
    const parent = tracer.startSpan("agent");
    await context.with(trace.setSpan(context.active(), parent), () => engine.dispatch(callOf()));
    expect(spans()[0]?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
  });

  it("comes from the provider that is registered by then, where no tracer was given", async () => {
    const observer = otelObserver();
    const { engine } = engineFor({ observers: [observer] });
    await engine.dispatch(callOf());
    const exporter = new InMemorySpanExporter();
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    await engine.dispatch(callOf());
    expect(exporter.getFinishedSpans().map(({ instrumentationScope }) => instrumentationScope.name)).toEqual([
      "@x/middleware",
    ]);
  });
});

describe("the options of the observer", () => {
  it.each([0, -1, 1.5, Number.NaN])("refuse room for %s spans", (maxOpenSpans) => {
    expect(() => otelObserver({ maxOpenSpans })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

/** Enough of a context manager for what happens before the first `await`. */
function synchronousContexts(): ContextManager {
  let active: Context = ROOT_CONTEXT;
  const manager: ContextManager = {
    active: () => active,
    with(next, run, self, ...given) {
      const before = active;
      active = next;
      try {
        return run.apply(self as ThisParameterType<typeof run>, given);
      } finally {
        active = before;
      }
    },
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
