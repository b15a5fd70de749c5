import { describeVectors } from "@x/conformance";
import { expect, it } from "vitest";
import { gateOf, pipelineOf, probeTool, resolverOf } from "../support/layered-gates.js";

describeVectors("lattice", {
  it,
  async run(vector) {
    const { tool, inputs } = probeTool(vector.tool, "probed");
    const asks: string[] = [];
    const gates = vector.layers.map((layer) => {
      const gate = gateOf(layer);
      if (layer.check !== "ask" || layer.resolver === undefined || layer.resolver === "none") return gate;
      return gate.withAskResolver(resolverOf(layer.resolver, asks));
    });
    const result = await pipelineOf(tool, gates).invoke({
      toolName: vector.tool,
      callId: "c1",
      input: vector.input,
    });
    expect({
      gate: result.gate,
      executed: inputs.length > 0,
      is_error: result.isError,
      text: result.output,
      tool_input: inputs[0] ?? null,
      asks,
    }).toEqual(vector.expect);
  },
});
