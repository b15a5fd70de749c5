import { type AskAnswer, type AskResolution, argsDigest, PermissionGateError } from "@x/permission-core";
import { expect, it } from "vitest";
import { confirmTools, HookAction, RunCancelledError, type ToolDispatchResult } from "../../src/index.js";
import { callOf, engineFor, never, type Setup, turn } from "../support/engine-harness.js";

const PROMPT = "Allow tool 'deploy' to execute?";

/** Dispatches a call that a hook asks about. */
function asked(answer: () => AskResolution | AskAnswer | Promise<AskResolution>, more: Setup = {}) {
  const harness = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: answer },
    ...more,
  });
  return { ...harness, run: (call = callOf()) => harness.engine.dispatch(call) };
}

/** What a record says, without the parts that are the same in every row. */
function recordOf(result: ToolDispatchResult) {
  const { verdict, rule_id, rule_source, reason } = result.gate ?? {};
  return [verdict, rule_id, rule_source, reason];
}

it("runs an approved call under the record of its approval", async () => {
  const { run, inputs } = asked(() => "Approve");
  const result = await run();
  expect(recordOf(result)).toEqual(["ask_allowed", "ask", "ask_resolver", null]);
  expect(result).toMatchObject({ output: "deployed", isError: false, errorKind: null });
  expect(inputs).toEqual([{ target: "/srv" }]);
});

it("runs the input that was approved instead, under the digest of the model's call", async () => {
  const { run, inputs, observer } = asked(() => ({ resolution: "Approve", modified_input: {} }));
  const result = await run();
  expect(recordOf(result)).toEqual(["allow_modified", "ask", "ask_resolver", null]);
  expect(result.output).toBe("deployed");
  expect(inputs).toEqual([{}]);
  expect(result.gate?.args_digest).toBe(argsDigest({ target: "/srv" }));
  expect(observer.events[3]?.event).toMatchObject({ effective_args_digest: argsDigest({}) });
});

it("refuses what the approver refused", async () => {
  const { run, inputs } = asked(() => "Deny");
  const result = await run();
  expect(recordOf(result)).toEqual(["ask_denied", "ask", "ask_resolver", "denied by approver"]);
  expect(result).toMatchObject({
    output: "Permission denied by approver for tool 'deploy'",
    isError: true,
    errorKind: "permission",
    durationMs: 0,
  });
  expect(inputs).toEqual([]);
});

it("tells the model why the approver refused", async () => {
  const { run } = asked(() => ({ resolution: "Deny", reason: "not on a Friday" }));
  const result = await run();
  expect(recordOf(result)).toEqual([
    "ask_denied",
    "ask",
    "ask_resolver",
    "denied by approver: not on a Friday",
  ]);
  expect(result.output).toBe("Permission denied by approver: not on a Friday for tool 'deploy'");
});

it("expires a question that nobody answers in time", async () => {
  const { run, clock, inputs } = asked(never, { askTimeoutMs: 5_000 });
  const running = run();
  await turn();
  clock.advance(4_999);
  await turn();
  expect(clock.timerCount).toBe(1);
  clock.advance(1);
  const result = await running;
  expect(recordOf(result)).toEqual(["ask_expired", "confirm-tools", "engine", "ask expired unanswered"]);
  expect(result).toMatchObject({
    output: "Permission ask expired unanswered for tool 'deploy'",
    errorKind: "permission",
  });
  expect(inputs).toEqual([]);
  expect(clock.timerCount).toBe(0);
});

it("ends the run when the call is cancelled while it waits for an answer", async () => {
  const { run, inputs, observer } = asked(never);
  const cancel = new AbortController();
  const why = new Error("the user pressed stop");
  const running = run(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort(why);
  const error = await running.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RunCancelledError);
  expect(error).toMatchObject({ code: "run_cancelled", cause: why });
  expect(observer.decisions).toMatchObject([
    {
      verdict: "cancelled",
      rule_id: "confirm-tools",
      rule_source: "engine",
      reason: "cancelled while awaiting approval",
    },
  ]);
  expect(observer.names).toEqual(["tool_pre", "ask_parked", "ask_answered", "gate_decision", "tool_post"]);
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "cancelled", duration_ms: 0 });
  expect(inputs).toEqual([]);
});

it.each([
  ["there is no resolver", {}],
  ["the resolver is a plain function in an unattended run", { askResolver: () => true }],
  [
    "the resolver needs somebody here in an unattended run",
    { askResolver: { resolve: () => "Approve" as const } },
  ],
])("refuses with the prompt when %s", async (_, { askResolver }: Setup) => {
  const { engine, inputs, observer } = engineFor({
    hooks: [confirmTools(["deploy"])],
    isNonInteractive: true,
    ...(askResolver === undefined ? undefined : { askResolver }),
  });
  const result = await engine.dispatch(callOf());
  expect(recordOf(result)).toEqual([
    "ask_unresolved",
    "confirm-tools",
    "engine",
    `permission required: ${PROMPT}`,
  ]);
  expect(result).toMatchObject({ output: PROMPT, isError: true, errorKind: "permission" });
  expect(observer.names).toEqual(["tool_pre", "gate_decision", "tool_post"]);
  expect(inputs).toEqual([]);
});

it("asks a remote approver in an unattended run", async () => {
  const { run } = asked(() => "Approve", { isNonInteractive: true });
  expect((await run()).output).toBe("deployed");
});

it("refuses when the approval channel is unavailable", async () => {
  const { run, errors } = asked(() => {
    throw new PermissionGateError("ask_unavailable", "redis is down");
  });
  const result = await run();
  expect(recordOf(result)).toEqual(["ask_denied", "ask", "ask_resolver", "approval channel unavailable"]);
  expect(result.output).toBe("Permission denied: approval channel unavailable for tool 'deploy'");
  expect(errors()).toEqual([]);
});

it.each<[string, () => never | AskAnswer]>([
  [
    "throws",
    () => {
      throw new Error("secret stack");
    },
  ],
  ["answers nonsense", () => ({ resolution: "Maybe" }) as unknown as AskAnswer],
  ["answers undefined", () => undefined as unknown as AskAnswer],
])("refuses and reports when the resolver %s", async (_, answer) => {
  const { run, errors } = asked(answer);
  const result = await run();
  expect(recordOf(result)).toEqual(["ask_denied", "ask", "ask_resolver", "resolver error"]);
  expect(result.output).toBe("Permission resolver error for tool 'deploy'");
  expect(errors()).toHaveLength(1);
});

it("records the question of an unnamed hook under `hook`", async () => {
  const { engine } = engineFor({ hooks: [{ preToolUse: () => HookAction.ask("sure?") }] });
  const result = await engine.dispatch(callOf());
  expect(recordOf(result)).toEqual(["ask_unresolved", "hook", "engine", "permission required: sure?"]);
});

it("asks again for the same call, since an approval is bound to one ask", async () => {
  const ids: string[] = [];
  const { engine } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: {
      interactive: false,
      resolve: ({ id }) => {
        ids.push(id);
        return ids.length === 1 ? "Approve" : "Deny";
      },
    },
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  expect((await engine.dispatch(callOf())).isError).toBe(true);
  expect(new Set(ids).size).toBe(2);
});

it("tells how each wait ended, and who ended it, without prompt or details", async () => {
  const { engine, clock, observer } = engineFor({
    hooks: [{ name: "ops", preToolUse: () => HookAction.ask("sure?", { details: "to production" }) }],
    askResolver: { interactive: false, resolve: () => ({ resolution: "Deny", decided_by: "ann" }) },
    agent: "helper",
  });
  await engine.dispatch(callOf({ turn: 3 }));
  expect(observer.events[2]).toEqual({
    type: "ask_answered",
    event: {
      ask_id: "00000000-0000-4000-8000-000000000001",
      session_id: "s1",
      run_id: "r1",
      agent: "helper",
      call_id: "c1",
      turn: 3,
      tool: "deploy",
      verdict: "ask_denied",
      decided_by: "ann",
      ts: clock.now(),
    },
  });
});

it("puts all that is known of the call into the ask", async () => {
  const { engine, clock, observer } = engineFor({
    hooks: [{ name: "ops", preToolUse: () => HookAction.ask("sure?", { details: "to production" }) }],
    askResolver: { interactive: false, resolve: () => "Deny" },
    askTimeoutMs: 1_000,
    agent: "helper",
  });
  await engine.dispatch(callOf({ turn: 3 }));
  expect(observer.events[1]).toEqual({
    type: "ask_parked",
    event: {
      ask: {
        id: "00000000-0000-4000-8000-000000000001",
        session_id: "s1",
        run_id: "r1",
        turn: 3,
        call_id: "c1",
        tool: "deploy",
        args_digest: argsDigest({ target: "/srv" }),
        prompt: "sure?",
        details: "to production",
        expires_at_ms: clock.now() + 1_000,
        descriptor_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
        agent: "helper",
      },
      ts: clock.now(),
    },
  });
});
