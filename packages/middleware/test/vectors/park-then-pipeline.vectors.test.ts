import { describeVectors } from "@x/conformance";
import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, type EngineObserver, ToolEngine, ToolPipeline } from "../../src/index.js";
import { gateOf, probeTool, resolverOf } from "../support/layered-gates.js";

describeVectors("park-then-pipeline", {
  it,
  async run(vector) {
    const clock = new ManualClock();
    const { tool, inputs } = probeTool("deploy", "deployed", clock);
    const builder = ToolPipeline.builder({ clock, onReport: () => {} }).withCore([tool]);
    if (vector.pipeline_gate === null) builder.withoutGate();
    else if (vector.pipeline_gate === "allow") builder.withMiddleware(gateOf({ check: "allow" }));
    else {
      builder.withMiddleware(
        gateOf({ check: "ask", prompt: "really?" }).withAskResolver(resolverOf("refuse")),
      );
    }
    const emitted: unknown[] = [];
    const observer: EngineObserver = { onGateDecision: (event) => void emitted.push(event.decision) };
    const engine = new ToolEngine({
      pipeline: builder.build(),
      hooks: [confirmTools(["deploy"])],
      askResolver: resolverOf("approve"),
      observers: [observer],
    });
    const result = await engine.dispatch({ toolName: "deploy", callId: "c1", input: vector.input });
    const { matched_pattern: _pattern, ts: _ts, ...record } = result.gate ?? { matched_pattern: null, ts: 0 };
    expect({
      record,
      records_emitted: emitted.length,
      executed: inputs.length > 0,
      text: result.output,
    }).toEqual({
      record: vector.record,
      records_emitted: vector.records_emitted,
      executed: vector.executed,
      text: vector.text,
    });
  },
});
