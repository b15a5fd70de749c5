import type { PermissionDecision, PolicyRequest, Rule } from "@x/permission-core";
import { memoryWorkspace, scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type PolicyOptions } from "../../src/index.js";
import { gateRig, INPUT, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

const rule = (changes: Partial<Rule> = {}): Rule => ({
  scope: "shared-project",
  tool: "Bash",
  pattern: "git push:*",
  effect: "deny",
  ...changes,
});

const gateWith = (decision: PermissionDecision, options: PolicyOptions = {}) =>
  PermissionMiddleware.fromContext().withPolicy(stubPolicy(decision), options);

const recordFor = async (decision: PermissionDecision, options: PolicyOptions = {}) =>
  (await gateRig(gateWith(decision, options)).invoke()).gate;

describe("a policy's decision is recorded", () => {
  it("as an allow", async () => {
    const decision = policyDecision("allow", { rule: rule({ effect: "allow", id: "r1" }) });
    expect(await recordFor(decision)).toEqual(
      recordOf("allow", "r1", "middleware", null, { matched_pattern: "git push:*" }),
    );
  });

  it("as a denial, whose reason the model reads", async () => {
    const { invoke } = gateRig(
      gateWith(policyDecision("deny", { rule: rule({ id: "r1" }), reason: "no pushing" })),
    );
    const result = await invoke();
    expect(result.gate).toEqual(
      recordOf("deny", "r1", "middleware", "no pushing", { matched_pattern: "git push:*" }),
    );
    expect(result.output).toBe("Permission no pushing for tool 't'");
  });

  it("as a question, under its rule where nobody answers it", async () => {
    expect(
      await recordFor(policyDecision("ask", { rule: rule({ effect: "ask" }), reason: "push?" })),
    ).toEqual(
      recordOf(
        "ask_unresolved",
        "shared-project:Bash(git push:*)",
        "middleware",
        "permission required: push?",
        {
          matched_pattern: "git push:*",
        },
      ),
    );
  });
});

describe("the rule id of a policy's record", () => {
  it.each<[string, Rule]>([
    ["own-id", rule({ id: "own-id" })],
    ["", rule({ id: "" })],
    ["shared-project:Bash(git push:*)", rule()],
    ["managed:Write(/etc/**)", rule({ scope: "managed", tool: "Write", pattern: "/etc/**" })],
    ["user:Bash", rule({ scope: "user", pattern: "" })],
    ["cli:*", rule({ scope: "cli", tool: "", pattern: "" })],
    ["builtin:*(x)", rule({ scope: "builtin", tool: "", pattern: "x" })],
  ])("is %j by the rule that decided", async (ruleId, decided) => {
    expect(await recordFor(policyDecision("deny", { rule: decided }))).toMatchObject({
      rule_id: ruleId,
      matched_pattern: decided.pattern,
    });
  });

  it.each<[string, PermissionDecision, PolicyOptions]>([
    ["policy:no-match", policyDecision("ask"), {}],
    ["policy:plan-mode", policyDecision("deny"), { mode: "plan" }],
    ["policy:no-match", policyDecision("deny"), { mode: "default" }],
    ["policy:no-match", policyDecision("ask"), { mode: "plan" }],
    ["policy:substitution-floor", policyDecision("ask", { flooredConfiguredAllow: true }), {}],
    ["policy:opaque", policyDecision("ask", { basis: "opaque" }), {}],
    ["policy:substitution-floor", policyDecision("ask", { basis: "substitution-floor" }), {}],
    ["policy:plan-mode", policyDecision("deny", { basis: "plan-mode" }), { mode: () => "default" }],
    ["policy:no-match", policyDecision("ask", { basis: "no-match" }), { mode: () => "plan" }],
  ])("is %s where no rule decided (%#)", async (ruleId, decision, options) => {
    expect(await recordFor(decision, options)).toMatchObject({ rule_id: ruleId, matched_pattern: null });
  });
});

describe("what a policy is asked", () => {
  async function requestOf(
    options: PolicyOptions,
    tool: Parameters<typeof gateRig>[1] = {},
  ): Promise<PolicyRequest> {
    const requests: PolicyRequest[] = [];
    const policy = stubPolicy((request) => {
      requests.push(request);
      return policyDecision("allow");
    });
    await gateRig(PermissionMiddleware.fromContext().withPolicy(policy, options), tool).invoke({
      toolContext: { sessionId: "session-1" },
    });
    const [request] = requests;
    if (request === undefined) throw new Error("the policy was not asked");
    return request;
  }

  it("is the call, in the default mode and for the main audience, with a signal", async () => {
    const { signal, ...request } = await requestOf({});
    expect(request).toEqual({
      sessionId: "session-1",
      mode: "default",
      audience: "main",
      call: { tool: "t", input: INPUT, readOnly: false },
    });
    expect(signal?.aborted).toBe(false);
  });

  it("carries kind, readOnly, mode, audience and workspace where they are given", async () => {
    const workspace = memoryWorkspace({});
    const request = await requestOf(
      { mode: "plan", audience: "subagent", workspace },
      { tool: { kind: "Write", readOnly: true } },
    );
    expect(request).toMatchObject({
      mode: "plan",
      audience: "subagent",
      call: { kind: "Write", readOnly: true },
    });
    expect(request.workspace).toBe(workspace);
  });

  it("asks a mode that is a function anew at every call", async () => {
    const modes = ["default", "plan"] as const;
    const seen: string[] = [];
    let calls = 0;
    const policy = stubPolicy(({ mode }) => {
      seen.push(mode);
      return policyDecision("allow");
    });
    const gate = PermissionMiddleware.fromContext().withPolicy(policy, {
      mode: () => modes[calls++ % 2] ?? "default",
    });
    const { invoke } = gateRig(gate);
    await invoke();
    await invoke();
    expect(seen).toEqual(["default", "plan"]);
  });
});

describe("what an approver is told of a policy's question", () => {
  const askFor = async (changes: Partial<PermissionDecision>) => {
    const resolver = scriptedResolver(["Approve"]);
    await gateRig(gateWith(policyDecision("ask", changes)).withAskResolver(resolver)).invoke();
    return resolver.asks[0];
  };

  it("is the reason, and the parts that are not yet allowed", async () => {
    const part = (text: string, effect: "allow" | "ask" | "deny") => ({
      text,
      effect,
      rule: null,
      reason: `why ${effect}`,
    });
    const ask = await askFor({
      reason: "two parts",
      parts: [part("ls", "allow"), part("rm x", "ask"), part("cat y", "ask")],
    });
    expect(ask?.prompt).toBe("two parts");
    expect(ask?.details).toBe("ask: rm x\n  why ask\nask: cat y\n  why ask");
  });

  it("has no details where every part is allowed", async () => {
    expect(await askFor({})).not.toHaveProperty("details");
  });

  it("says whether a rule demands it, or only the substitution floor stands in the way", async () => {
    expect(await askFor({ configuredAsk: true })).toMatchObject({ configured_ask: true });
    expect(await askFor({ flooredConfiguredAllow: true })).toMatchObject({ floored_configured_allow: true });
    const plain = await askFor({});
    expect(plain).not.toHaveProperty("configured_ask");
    expect(plain).not.toHaveProperty("floored_configured_allow");
  });
});
