import { NIL_UUID, type PolicyRequest, type Rule } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, INPUT, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

const RULE: Rule = { scope: "user", tool: "t", pattern: "/tmp/x", effect: "allow", exact: true };
const session = { toolContext: { sessionId: "session-1" } };

/** A policy that asks about what it has not learned, and keeps what it was asked. */
function learningPolicy(learn: () => Rule | null | Promise<Rule | null> = () => RULE) {
  const learned: Omit<PolicyRequest, "mode" | "signal">[] = [];
  const policy = stubPolicy(
    () => (learned.length > 0 ? policyDecision("allow", { rule: RULE }) : policyDecision("ask")),
    {
      learnable: () => RULE,
      learn(request) {
        learned.push(request);
        return learn();
      },
    },
  );
  return { policy, learned };
}

const forSession = { resolution: "Approve", remember: "session" } as const;

describe("an answer for the session", () => {
  it("makes the policy learn what was asked, and the next call of it asks nobody", async () => {
    const { policy, learned } = learningPolicy();
    const resolver = scriptedResolver([forSession]);
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy, { audience: "subagent" })
      .withAskResolver(resolver);
    const { invoke, reports } = gateRig(gate, { tool: { readOnly: true, kind: "Write" } });
    expect((await invoke(session)).gate?.verdict).toBe("ask_allowed");
    expect(learned).toEqual([
      {
        sessionId: "session-1",
        audience: "subagent",
        call: { tool: "t", input: INPUT, readOnly: true, kind: "Write" },
      },
    ]);
    expect((await invoke(session)).gate).toEqual(
      recordOf("allow", "user:t(/tmp/x)", "middleware", null, { matched_pattern: "/tmp/x" }),
    );
    expect(resolver.asks).toHaveLength(1);
    expect(reports).toEqual([]);
  });

  it("is not learned without a session, and that is reported", async () => {
    const { policy, learned } = learningPolicy();
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy)
      .withAskResolver(scriptedResolver([forSession]));
    const { invoke, warnings } = gateRig(gate);
    expect((await invoke({ toolContext: { sessionId: NIL_UUID } })).output).toBe("ran");
    expect(learned).toEqual([]);
    expect(warnings()).toHaveLength(1);
  });

  it("is not learned with an end of its own, which no rule of a session has, and that is reported", async () => {
    const { policy, learned } = learningPolicy();
    const resolver = scriptedResolver([{ ...forSession, remember_until_ms: 1_800_000_000_000 }]);
    const { invoke, warnings } = gateRig(
      PermissionMiddleware.fromContext().withPolicy(policy).withAskResolver(resolver),
    );
    expect((await invoke(session)).output).toBe("ran");
    expect(learned).toEqual([]);
    expect(warnings()).toHaveLength(1);
  });

  it.each<[string, () => Rule | null | Promise<Rule | null>]>([
    ["learns nothing", () => null],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])("goes through where the policy %s, and that is reported", async (_, learn) => {
    const { policy } = learningPolicy(learn);
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy)
      .withAskResolver(scriptedResolver([forSession]));
    const { invoke, reports } = gateRig(gate);
    const result = await invoke(session);
    expect(result.gate).toEqual(recordOf("ask_allowed", "ask", "ask_resolver"));
    expect(reports).toHaveLength(1);
  });

  it("is kept apart from grants: nothing is saved for it", async () => {
    const { policy } = learningPolicy();
    const saved: unknown[] = [];
    const store = {
      load: async () => [],
      find: async () => [],
      save: async (grant: never) => {
        saved.push(grant);
        return grant;
      },
      revoke: async () => null,
      clear: async () => 0,
    };
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy)
      .withGrants(store)
      .withAskResolver(scriptedResolver([forSession]));
    await gateRig(gate).invoke(session);
    expect(saved).toEqual([]);
  });
});

describe("[CASE-062] a call remembered for a session", () => {
  it("still meets every other gate: only the question of its own policy is answered", async () => {
    const { policy } = learningPolicy();
    const resolver = scriptedResolver([forSession]);
    const asking = PermissionMiddleware.fromContext().withPolicy(policy).withAskResolver(resolver);
    const denying = PermissionMiddleware.fromContext().withNamedCheck("no-rm", ({ input }) =>
      (input as string).startsWith("docker rm") ? { kind: "deny", reason: "rm is off" } : { kind: "allow" },
    );
    const { invoke, inputs } = gateRig([asking, denying]);
    expect((await invoke({ input: "docker ps", ...session })).output).toBe("ran");
    const second = await invoke({ input: "docker rm c", ...session });
    expect(second.gate).toMatchObject({ verdict: "deny", rule_id: "no-rm" });
    expect(resolver.asks).toHaveLength(1);
    expect(inputs).toEqual(["docker ps"]);
  });
});
