import { describeVectors } from "@x/conformance";
import { createGrant, type GrantScope, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { pipelineOf, probeTool } from "../support/layered-gates.js";

/** End to end, by the text that the model wrote: a value could not tell `1` from `1.0`. */
describeVectors("covers", {
  it,
  async run(vector) {
    const store = new MemoryGrantStore();
    await store.save(createGrant(vector.grant_tool, "Allow", JSON.parse(vector.scope_json) as GrantScope));
    const { tool, inputs } = probeTool(vector.call_tool, "ran");
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("run it?"))
      .withGrants(store);
    await pipelineOf(tool, [gate]).invoke({
      toolName: vector.call_tool,
      callId: "c1",
      inputText: vector.args_json,
    });
    expect(inputs.length > 0).toBe(vector.covers);
  },
});
