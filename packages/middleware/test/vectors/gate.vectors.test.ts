import { describeVectors, type VectorTypes } from "@x/conformance";
import { PermissionCheck } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { PermissionMiddleware, type ToolCall } from "../../src/index.js";
import { gateOf, pipelineOf, probeTool, reports, resolverOf } from "../support/layered-gates.js";

type GateVector = VectorTypes["gate"];

function buildGate(vector: GateVector): PermissionMiddleware {
  const { check, resolver } = vector;
  const gate = gateFor(check);
  return resolver === null || resolver === "none" ? gate : gate.withAskResolver(resolverOf(resolver));
}

function gateFor(check: GateVector["check"]): PermissionMiddleware {
  if ("preset" in check) return PermissionMiddleware.allowAll();
  if ("claim" in check) return PermissionMiddleware.fromContext();
  if (check.built === undefined) return gateOf(check);
  return PermissionMiddleware.fromContext()
    .withNamedCheck("x", () => PermissionCheck.allow())
    .withCheck(() => PermissionCheck.allow());
}

function claimOf(check: GateVector["check"]): PermissionCheck | undefined {
  if ("claim_ignored" in check) return PermissionCheck.deny("a claim that a check outweighs");
  if (!("claim" in check)) return undefined;
  switch (check.claim) {
    case "modify":
      return PermissionCheck.modify(check.to);
    case "ask":
      return PermissionCheck.ask(check.prompt);
    case "deny":
      return PermissionCheck.deny(check.reason);
  }
}

describeVectors("gate", {
  it,
  async run(vector) {
    const clock = new ManualClock();
    const { tool, inputs } = probeTool(vector.tool, "probed", clock);
    const { onReport, seen } = reports();
    const cancel = new AbortController();
    if (vector.cancel === "before") cancel.abort();
    const permission = claimOf(vector.check);
    const call: ToolCall = {
      toolName: vector.tool,
      callId: "c1",
      input: vector.input,
      signal: cancel.signal,
      ...(permission === undefined ? undefined : { permission }),
    };
    const running = pipelineOf(tool, [buildGate(vector)], { clock, onReport }).invoke(call);
    if (vector.cancel === "during") {
      await new Promise((resolve) => setImmediate(resolve));
      cancel.abort();
    }
    const result = await running;
    const { gate } = result;
    const warnings = seen.filter((event) => event.level === "warn").map((event) => event.message);
    expect(gate?.tool).toBe(vector.tool);
    expect({
      verdict: gate?.verdict,
      rule_source: gate?.rule_source,
      rule_id: gate?.rule_id,
      matched_pattern: gate?.matched_pattern,
      reason: gate?.reason,
      ts_before_emission: gate?.ts,
      args_digest: gate?.args_digest,
      executed: inputs.length > 0,
      errorText: result.isError ? result.output : null,
      is_error: result.isError,
      duration: result.durationMs === 0 ? "zero" : "measured",
      warn_logs: warnings,
      ...("tool_input" in vector.expect ? { tool_input: inputs[0] } : undefined),
    }).toEqual(vector.expect);
  },
});
