import { systemClock } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolCall, ToolPipeline } from "../../src/index.js";
import { engineFor, toolOf } from "../support/engine-harness.js";

const good = { toolName: "deploy", callId: "c1", input: {} };
const unreadable = {
  ...good,
  get turn(): number {
    throw new Error("no");
  },
};

/** A call that plain JavaScript may make, what is said of it, and the id under which it is told. */
const MALFORMED: [what: string, call: unknown, error: string, callId: string][] = [
  ["null", null, "it cannot be read", ""],
  ["undefined", undefined, "it cannot be read", ""],
  ["a getter that throws", unreadable, "it cannot be read", "c1"],
  ["a tool name that is a symbol", { ...good, toolName: Symbol("t") }, "its toolName must be a text", "c1"],
  [
    "a tool name that cannot be shown",
    { ...good, toolName: { toString: 1 } },
    "its toolName must be a text",
    "c1",
  ],
  ["no id", { ...good, callId: undefined }, "its callId must be a text of one character or more", ""],
  ["an empty id", { ...good, callId: "" }, "its callId must be a text of one character or more", ""],
  [
    "an id that is a number",
    { ...good, callId: 7 },
    "its callId must be a text of one character or more",
    "",
  ],
  ...[-1, 1.5, Number.NaN, "1", 2 ** 53].map((turn): (typeof MALFORMED)[number] => [
    `the turn ${JSON.stringify(turn)}`,
    { ...good, turn },
    "its turn must be a whole number from 0",
    "c1",
  ]),
  [
    "a signal that is none",
    { ...good, signal: { aborted: false } },
    "its signal must be an AbortSignal",
    "c1",
  ],
  [
    "a signal of half a form",
    { ...good, signal: { aborted: false, addEventListener() {} } },
    "its signal must be an AbortSignal",
    "c1",
  ],
  ...[
    { sessionId: 1 },
    { runId: null },
    { isNonInteractive: "false" },
    { agent: {} },
    { runId: "r".repeat(129) },
    null,
  ].map((toolContext): (typeof MALFORMED)[number] => [
    `the context ${JSON.stringify(toolContext)}`,
    { ...good, toolContext },
    "its toolContext must hold texts, ids of at most 128 characters, and isNonInteractive true or false",
    "c1",
  ]),
];

describe.each(MALFORMED)("a call with %s", (_, call, error, callId) => {
  const refusal = {
    callId,
    output: `The call is malformed: ${error}`,
    isError: true,
    errorKind: "validation",
    gate: null,
  };

  it("is an error result, and begins and ends for observers", async () => {
    const { engine, inputs, observer } = engineFor({ layers: [PermissionMiddleware.allowAll()] });
    expect(await engine.dispatch(call as ToolCall)).toMatchObject(refusal);
    expect(await engine.dispatchAll([call as ToolCall])).toMatchObject([
      { status: "completed", result: refusal },
    ]);
    expect(inputs).toEqual([]);
    expect(observer.names).toEqual(["tool_pre", "tool_post", "tool_pre", "tool_post"]);
    for (const { event } of observer.events) expect(event).toMatchObject({ turn: 0, call_id: callId });
  });

  it("is an error result of a pipeline alone", async () => {
    const layers = PermissionMiddleware.allowAll();
    const pipeline = ToolPipeline.builder()
      .withCore([toolOf("deploy")])
      .withMiddleware(layers)
      .build();
    expect(await pipeline.invoke(call as ToolCall)).toMatchObject(refusal);
  });
});

it("a dry run needs no id, and says of another malformed call why it would not run", async () => {
  const { engine } = engineFor({ layers: [PermissionMiddleware.allowAll()] });
  expect(await engine.evaluate({ toolName: "deploy", input: {} })).toMatchObject({ verdict: "allow" });
  for (const call of [null, { toolName: "deploy", input: {}, turn: -1 }]) {
    expect(await engine.evaluate(call as unknown as ToolCall)).toMatchObject({
      verdict: "deny",
      rule_id: "engine",
      reason: expect.stringMatching(/^The call is malformed: /),
    });
  }
});

it("hooks are told of a dry run, and of a call's run", async () => {
  const told: unknown[] = [];
  const { engine } = engineFor({
    hooks: [{ preToolUse: ({ dryRun, runId, callId }) => void told.push({ dryRun, runId, callId }) }],
  });
  await engine.evaluate({ toolName: "deploy", input: {} });
  await engine.dispatch({ toolName: "deploy", input: {}, callId: "c1" });
  expect(told).toEqual([
    { dryRun: true, runId: engine.runId, callId: "" },
    { dryRun: false, runId: engine.runId, callId: "c1" },
  ]);
});

it("a tool takes no negative time where the clock is set back", async () => {
  let now = 1_000;
  const pipeline = ToolPipeline.builder({ clock: { ...systemClock, now: () => now } })
    .withCore([
      toolOf("deploy", () => {
        now = 400;
      }),
    ])
    .withMiddleware(PermissionMiddleware.allowAll())
    .build();
  expect((await pipeline.invoke(good)).durationMs).toBe(0);
});

it("times are whole milliseconds, whatever the clock gives", async () => {
  const clock = { ...systemClock, now: () => 1_000.75 };
  const { engine, observer } = engineFor({ clock, layers: [PermissionMiddleware.allowAll()] });
  await engine.dispatch(good);
  expect(observer.events).toMatchObject([
    { event: { ts: 1_000 } },
    { event: { decision: { ts: 1_000 } } },
    { event: { ts: 1_000 } },
  ]);
});
