import { describeVectors } from "@x/conformance";
import { expect, it } from "vitest";
import { PermissionMiddleware, type ToolDispatchContext } from "../../src/index.js";
import { gateOf, pipelineOf, probeTool, resolverOf } from "../support/layered-gates.js";

describeVectors("evaluate", {
  it,
  async run(vector) {
    if ("context" in vector) {
      let seen: ToolDispatchContext | undefined;
      const gate = PermissionMiddleware.fromContext().withCheck((context) => {
        seen = context;
        return { kind: "allow" };
      });
      await gate.evaluate("probe", {});
      expect({
        call_id: seen?.callId,
        turn: seen?.turn,
        permission: seen?.permission.kind,
        cancelled: seen?.signal.aborted,
        is_non_interactive: seen?.toolContext.isNonInteractive,
      }).toEqual(vector.context);
      return;
    }
    const { layer } = vector;
    const asks: string[] = [];
    const gate = "preset" in layer ? PermissionMiddleware.denyAll() : gateOf(layer);
    if ("resolver" in layer && layer.resolver === "approve")
      gate.withAskResolver(resolverOf("approve", asks));
    const { tool, inputs } = probeTool(vector.tool, "probed");
    const alone = await gate.evaluate(vector.tool, vector.input);
    const inPipeline = await pipelineOf(tool, [gate]).evaluate({
      toolName: vector.tool,
      input: vector.input,
    });
    expect(alone).toEqual(vector.expect);
    expect(inPipeline).toEqual(vector.expect);
    expect({ executed: inputs.length > 0, resolver_calls: asks.length }).toEqual({
      executed: vector.executed,
      resolver_calls: vector.resolver_calls,
    });
  },
});
