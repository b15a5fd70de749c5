import { type JsonValue, PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { pipelineOf, probeTool, resolverOf } from "../support/layered-gates.js";

const CALL = { toolName: "probe", callId: "c1", input: { word: "hello" } };

async function runWith(first: JsonValue, second: JsonValue, gate = PermissionMiddleware.fromContext()) {
  const { tool, inputs } = probeTool("probe", "probed");
  gate
    .withCheck(() => PermissionCheck.modify(first))
    .withToolCheck("probe", () => PermissionCheck.modify(second));
  const result = await pipelineOf(tool, [gate]).invoke(CALL);
  return { result, inputs };
}

it("denies where two checks of a gate rewrite the input differently, since one would be dropped", async () => {
  const { result, inputs } = await runWith({ word: "a" }, { word: "b" });
  expect(result.gate).toMatchObject({
    verdict: "deny",
    rule_source: "engine",
    reason: "two checks rewrite the input differently",
  });
  expect(inputs).toEqual([]);
});

it("runs what both say where they say the same, whatever the order of its keys", async () => {
  const { result, inputs } = await runWith({ a: 1, b: 2 }, { b: 2, a: 1 });
  expect(result.gate?.verdict).toBe("allow_modified");
  expect(inputs).toEqual([{ a: 1, b: 2 }]);
});

it("denies two different rewrites beside a question as well, and asks nobody", async () => {
  const asks: string[] = [];
  const gate = PermissionMiddleware.fromContext()
    .withAskResolver(resolverOf("approve", asks))
    .withPolicy({
      evaluate: () => ({
        effect: "ask",
        reason: "sure?",
        rule: null,
        configuredAsk: false,
        flooredConfiguredAllow: false,
        parts: [],
      }),
      learn: () => null,
      learnable: () => null,
    });
  const { result, inputs } = await runWith({ word: "a" }, { word: "b" }, gate);
  expect(result.gate?.verdict).toBe("deny");
  expect({ asks, inputs }).toEqual({ asks: [], inputs: [] });
});
