import { PermissionCheck, PermissionGateError } from "@x/permission-core";
import { expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { pipelineOf, probeTool } from "../support/layered-gates.js";

it("records an ask that expired within its resolver as expired, not as anybody's refusal", async () => {
  const { tool, inputs } = probeTool("probe", "probed");
  const gate = PermissionMiddleware.fromContext()
    .withCheck(() => PermissionCheck.ask("sure?"))
    .withAskResolver({
      interactive: false,
      resolve: () => Promise.reject(new PermissionGateError("ask_expired", "The deadline passed.")),
    });
  const result = await pipelineOf(tool, [gate]).invoke({ toolName: "probe", callId: "c1", input: {} });
  expect(result).toMatchObject({
    output: "Permission ask expired unanswered for tool 'probe'",
    gate: {
      verdict: "ask_expired",
      rule_id: "middleware",
      rule_source: "engine",
      reason: "ask expired unanswered",
    },
  });
  expect(inputs).toEqual([]);
});
