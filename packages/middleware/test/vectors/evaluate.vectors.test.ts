import { describeVectors } from "@x/conformance";
import { PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { PermissionMiddleware, type ToolDispatchContext } from "../../src/index.js";
import { gateOf, pipelineOf, probeTool, resolverOf } from "../support/layered-gates.js";

/** What a check is given on a dry run. */
async function contextOfDryRun(): Promise<ToolDispatchContext> {
  const seen: ToolDispatchContext[] = [];
  const gate = PermissionMiddleware.fromContext().withCheck((context) => {
    seen.push(context);
    return PermissionCheck.allow();
  });
  await gate.evaluate("probe", {});
  const [context] = seen;
  if (context === undefined || seen.length > 1) throw new Error(`the check ran ${seen.length} times`);
  return context;
}

function inWords({ callId, turn, permission, signal, toolContext }: ToolDispatchContext) {
  return {
    call_id: callId,
    turn_number: turn,
    permission: permission.kind,
    cancel: signal.aborted ? "fired" : "fresh, not fired",
    tool_context: `defaults (random session id, is_non_interactive ${toolContext.isNonInteractive})`,
  };
}

describeVectors("evaluate", {
  it,
  async run(vector) {
    if (!("layer" in vector)) {
      expect(inWords(await contextOfDryRun())).toEqual(vector.expect);
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
