import { PermissionMiddleware, type Tool, ToolEngine, ToolPipeline } from "@x/middleware";
import { argsDigest, type JsonValue } from "@x/permission-core";
import { digestInputs } from "./digest-inputs.js";
import { measureAsync, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

const GATE_GOAL_NS = 3_000;
const ENGINE_GOAL_NS = 7_000;

/** What a gate and an engine add to a call of a tool that does nothing. */
export async function runGateBenchmark(): Promise<BenchmarkSection> {
  const tool: Tool = { name: "write", description: "Writes a file", inputSchema: {}, call: () => "done" };
  const signal = new AbortController().signal;
  const bareContext = { sessionId: "s", runId: "r", isNonInteractive: false, signal };
  const gate = () => PermissionMiddleware.fromContext().withCheck(() => ({ kind: "allow" }));
  const pipeline = ToolPipeline.builder().withCore([tool]).withMiddleware(gate()).build();
  let observed = 0;
  const engine = new ToolEngine({
    pipeline: ToolPipeline.builder().withCore([tool]).withMiddleware(gate()).build(),
    hooks: [{ name: "pass", preToolUse: () => undefined }],
    observers: [
      {
        onToolPre: () => void observed++,
        onGateDecision: () => void observed++,
        onToolPost: () => void observed++,
      },
    ],
  });
  const inputs = freshInputs();
  const call = () => ({ toolName: "write", callId: "c1", input: inputs() });

  const times = await measureAsync({
    bare: async () => tool.call(inputs(), bareContext),
    digest: async () => argsDigest(inputs()),
    pipeline: () => pipeline.invoke(call()),
    engine: () => engine.dispatch(call()),
  });
  if (observed === 0)
    throw new Error("The engine announced nothing: it did not do the work that is measured");
  const over = (name: keyof typeof times) => times[name] - times.bare;
  return {
    title: "What the gate adds to a call",
    notes: [
      "Median time per call of a tool that does nothing, awaited, with a fresh input of 700 bytes each time; nothing is cached by identity. Making the input is part of every row.",
      "The pipeline has one gate whose check allows; the engine has that pipeline, one hook and one observer of all events.",
    ],
    table: {
      columns: ["", "time per call", "over the bare call"],
      rows: [
        ["bare `tool.call`", showTime(times.bare), ""],
        ["`argsDigest` alone", showTime(times.digest), showTime(over("digest"))],
        ["pipeline with an allowing gate", showTime(times.pipeline), showTime(over("pipeline"))],
        ["engine with a hook and an observer", showTime(times.engine), showTime(over("engine"))],
      ],
    },
    goals: [
      {
        text: "a pipeline with an allowing gate takes at most 3 µs more than the bare call, digest included",
        met: over("pipeline") <= GATE_GOAL_NS,
      },
      {
        text: "an engine with a hook and one observer takes at most 7 µs in all",
        met: over("engine") <= ENGINE_GOAL_NS,
      },
    ],
  };
}

/** Gives a new object each time, of another content than the one before. */
function freshInputs(): () => JsonValue {
  const text = JSON.stringify(digestInputs["700 B with escapes"]);
  let count = 0;
  return () => {
    const input = JSON.parse(text) as { [key: string]: JsonValue };
    input["count"] = count++;
    return input;
  };
}
