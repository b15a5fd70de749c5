import { ApprovalChannel, SyncAskResolver } from "@x/ask-channel";
import { describeVectors, type VectorTypes } from "@x/conformance";
import {
  circuitBreaker,
  type EngineObserver,
  HookAction,
  type Tool,
  ToolEngine,
  ToolPipeline,
} from "@x/middleware";
import { type AskResolver, type Clock, type GateDecision, isPermissionGateError } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";

type AskEnding = VectorTypes["ask-ending"];

/** Lets whatever is ready come through. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A tool that deploys, or hangs until its call is cancelled and then goes on. */
function deployTool(hangs: boolean) {
  const runs = { started: 0, completed: 0 };
  const tool: Tool = {
    name: "deploy",
    description: "Deploys to a target",
    inputSchema: {},
    async call() {
      runs.started++;
      if (hangs) await new Promise<never>(() => {});
      runs.completed++;
      return "deployed";
    },
  };
  return { tool, runs };
}

function resolverFor(
  given: AskEnding["given"],
  channel: ReturnType<typeof ApprovalChannel.pair>,
): AskResolver | undefined {
  if (given["resolver"] === null) return undefined;
  if (given["resolver"] === "sync approve") return new SyncAskResolver(() => true);
  return channel.resolver;
}

/** Does to the parked call what the vector tells: by its steps, or by what was given. */
async function playApprover(
  given: AskEnding["given"],
  channel: ReturnType<typeof ApprovalChannel.pair>,
  timers: ManualClock,
  cancel: AbortController,
): Promise<void> {
  const { approver } = channel;
  if (typeof given["ask_timeout_ms"] === "number" && given["ask_timeout_ms"] > 0) {
    timers.advance(given["ask_timeout_ms"]);
    return;
  }
  if (given["approver"] === "dropped after next_pending") {
    await approver.nextPending();
    await approver.close();
    return;
  }
  const steps = given["steps"];
  if (Array.isArray(steps)) {
    const ask = await approver.nextPending();
    if (ask === null) throw new Error("Nothing was parked.");
    if (steps[0] === "cancel") {
      cancel.abort();
      expect(await approver.answer(ask, "Approve")).toBe("cancelled");
      return;
    }
    const answered = approver.answer(ask, "Approve");
    timers.advance(DEADLINE_MS);
    expect(await answered).toBe("delivered");
    return;
  }
  if (given["answer"] === "Approve") {
    const ask = await approver.nextPending();
    if (ask === null) throw new Error("Nothing was parked.");
    await approver.answer(ask, "Approve");
  }
}

const DEADLINE_MS = 1_000;

function askTimeoutFor(given: AskEnding["given"]): number | undefined {
  if (typeof given["ask_timeout_ms"] === "number") return given["ask_timeout_ms"];
  return Array.isArray(given["steps"]) && given["steps"][0] === "deadline passes" ? DEADLINE_MS : undefined;
}

describeVectors("ask-ending", {
  it,
  async run(vector) {
    const { given } = vector;
    const timers = new ManualClock();
    // As in the reference, the time that records carry stands still while deadlines pass.
    const clock: Clock = { now: () => 1_700_000_000_000, setTimer: timers.setTimer.bind(timers) };
    const cancel = new AbortController();
    const cancelsRunningTool = typeof given["then"] === "string";
    const { tool, runs } = deployTool(cancelsRunningTool);
    const channel = ApprovalChannel.pair(4);
    if (given["approver"] === "dropped before the ask") await channel.approver.close();

    const order: string[] = [];
    const records: GateDecision[] = [];
    let outcome: string | undefined;
    const observer: EngineObserver = {
      onToolPre: () => void order.push("tool_pre"),
      onGateDecision({ decision }) {
        order.push("gate_decision");
        records.push(decision);
      },
      onToolPost(event) {
        order.push("tool_post");
        outcome = event.outcome;
      },
    };
    const guard = circuitBreaker({ failureThreshold: 1, clock });
    if (given["breaker"] === "open") {
      const failed = {
        callId: "",
        output: "",
        isError: true,
        errorKind: "tool" as const,
        durationMs: 0,
        cached: false,
      };
      guard.after?.({ toolName: "deploy", argsDigest: "", callId: "" }, { ...failed, gate: null, trail: [] });
    }
    const askResolver = resolverFor(given, channel);
    const askTimeoutMs = askTimeoutFor(given);
    const engine = new ToolEngine({
      pipeline: ToolPipeline.builder({ clock, onReport: () => {} })
        .withCore([tool])
        .withoutGate()
        .build(),
      hooks: given["hook"] === null ? [] : [{ preToolUse: () => HookAction.ask(vector.prompt) }],
      guards: [guard],
      observers: [observer],
      ...(askResolver === undefined ? undefined : { askResolver }),
      ...(askTimeoutMs === undefined ? undefined : { askTimeoutMs }),
    });
    const running = engine
      .dispatch({ toolName: "deploy", callId: "c1", input: vector.input, signal: cancel.signal })
      .then(
        (result) => ({ run: "continues", text: result.isError ? result.output : "(tool output)" }),
        (error: unknown) => {
          if (!isPermissionGateError(error, "run_cancelled")) throw error;
          return { run: "ends with Cancelled", text: null };
        },
      );
    await turn();
    await playApprover(given, channel, timers, cancel);
    await turn();
    if (cancelsRunningTool) cancel.abort();
    const { run, text } = await running;
    await engine.close();
    expect({
      record: records[0] ?? null,
      executed: runs.started > runs.completed ? "started" : runs.completed,
      model_text: text,
      observer_order: order,
      run,
      ...("post_is_error" in vector ? { post_is_error: outcome !== "completed" } : undefined),
    }).toEqual({
      record: vector.record,
      executed: vector.executed,
      model_text: vector.model_text,
      observer_order: vector.observer_order,
      run: vector.run,
      ...("post_is_error" in vector ? { post_is_error: vector.post_is_error } : undefined),
    });
    expect(records.length).toBeLessThanOrEqual(1);
  },
});
