import { type GateVerdict, PermissionCheck, type PermissionDecision, type Rule } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import {
  deferred,
  gateRig,
  gateSaying,
  INPUT,
  policyDecision,
  recordOf,
  stubPolicy,
} from "../support/gate-rig.js";

type Kind = PermissionCheck["kind"];
const KINDS: readonly Kind[] = ["allow", "modify", "ask", "deny"];
const VERDICTS: Record<Kind, GateVerdict> = {
  allow: "allow",
  modify: "allow_modified",
  ask: "ask_unresolved",
  deny: "deny",
};

const checkOfKind = (kind: Kind): PermissionCheck =>
  ({
    allow: PermissionCheck.allow(),
    modify: PermissionCheck.modify({ path: "/safe" }),
    ask: PermissionCheck.ask("run?"),
    deny: PermissionCheck.deny("no"),
  })[kind];

const rule = (effect: Rule["effect"]): Rule => ({
  scope: "user",
  tool: "t",
  pattern: "p",
  effect,
  id: `policy-${effect}`,
});
const decisionOfKind = (effect: Rule["effect"]): PermissionDecision =>
  policyDecision(effect, { rule: rule(effect) });

describe("of a gate's sources the stricter wins", () => {
  const pairs = KINDS.flatMap((left) => KINDS.map((right) => [left, right] as const));

  it.each(pairs)(
    "a check that says %s beside a tool's check that says %s, at once or later",
    async (all, own) => {
      const strictest = KINDS[Math.max(KINDS.indexOf(all), KINDS.indexOf(own))] ?? "deny";
      for (const later of [
        [false, false],
        [true, false],
        [false, true],
        [true, true],
      ] as const) {
        const say = (kind: Kind, waits: boolean) => () =>
          waits ? Promise.resolve(checkOfKind(kind)) : checkOfKind(kind);
        const gate = PermissionMiddleware.fromContext()
          .withCheck(say(all, later[0]))
          .withToolCheck("t", say(own, later[1]));
        const { invoke, inputs } = gateRig(gate);
        expect((await invoke()).gate?.verdict).toBe(VERDICTS[strictest]);
        expect(inputs.length).toBe(strictest === "allow" || strictest === "modify" ? 1 : 0);
      }
    },
  );

  it.each(
    KINDS.flatMap((check) => (["allow", "ask", "deny"] as const).map((effect) => [check, effect] as const)),
  )("a named check that says %s beside a policy that says %s", async (kind, effect) => {
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", () => checkOfKind(kind))
      .withPolicy(stubPolicy(decisionOfKind(effect)));
    const record = (await gateRig(gate).invoke()).gate;
    const policyWins = KINDS.indexOf(effect) > KINDS.indexOf(kind);
    expect(record).toMatchObject({
      verdict: VERDICTS[policyWins ? effect : kind],
      rule_id: policyWins ? `policy-${effect}` : "own",
      matched_pattern: policyWins ? "p" : null,
    });
  });

  it("a later policy of any strength cannot lift a check's denial, and is not waited for", async () => {
    const never = deferred<PermissionDecision>();
    const gate = gateSaying(PermissionCheck.deny("no")).withPolicy(stubPolicy(() => never.promise));
    expect((await gateRig(gate).invoke()).gate?.reason).toBe("no");
  });

  it("beside a policy the claim counts where there is no check, and the policy's rule stands on a tie", async () => {
    const withPolicy = (effect: Rule["effect"]) =>
      gateRig(PermissionMiddleware.fromContext().withPolicy(stubPolicy(decisionOfKind(effect))));
    expect((await withPolicy("allow").invoke()).gate).toMatchObject({ rule_id: "policy-allow" });
    expect((await withPolicy("ask").invoke({ permission: PermissionCheck.deny("claimed") })).gate).toEqual(
      recordOf("deny", "context", "context", "claimed"),
    );
    expect(
      (await withPolicy("deny").invoke({ permission: PermissionCheck.deny("claimed") })).gate,
    ).toMatchObject({
      rule_id: "policy-deny",
    });
  });

  it("denyAll denies beside any policy", async () => {
    const gate = PermissionMiddleware.denyAll().withPolicy(stubPolicy(decisionOfKind("allow")));
    expect((await gateRig(gate).invoke()).gate?.reason).toBe("blocked by policy");
  });

  it("allowAll leaves it to the policy", async () => {
    const gate = PermissionMiddleware.allowAll().withPolicy(stubPolicy(decisionOfKind("deny")));
    expect((await gateRig(gate).invoke()).gate?.rule_id).toBe("policy-deny");
  });
});

describe("a rewrite beside a question", () => {
  const gateAnswered = (answer: "Approve" | "Deny") => {
    const resolver = scriptedResolver([answer]);
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("rewriter", () => PermissionCheck.modify({ path: "/safe" }))
      .withPolicy(stubPolicy(decisionOfKind("ask")))
      .withAskResolver(resolver);
    return { gate, resolver };
  };

  it("is what is asked about and what runs, and both stand in the trail", async () => {
    const { gate, resolver } = gateAnswered("Approve");
    const plain = scriptedResolver(["Approve"]);
    await gateRig(gateSaying(PermissionCheck.ask("run?")).withAskResolver(plain)).invoke({
      input: { path: "/safe" },
    });
    const { invoke, inputs } = gateRig(gate);
    const result = await invoke();
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["ask_allowed", "allow_modified"]);
    expect(result.gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([{ path: "/safe" }]);
    expect(resolver.asks[0]?.args_digest).toBe(plain.asks[0]?.args_digest);
  });

  it("does not run where the answer is no", async () => {
    const { invoke, inputs } = gateRig(gateAnswered("Deny").gate);
    expect((await invoke()).trail.map(({ verdict }) => verdict)).toEqual(["ask_denied"]);
    expect(inputs).toEqual([]);
  });

  it("denies before anybody is asked where JSON cannot hold it", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.modify(new Date(0) as never))
      .withPolicy(stubPolicy(decisionOfKind("ask")))
      .withAskResolver(resolver);
    expect((await gateRig(gate).invoke()).gate).toEqual(
      recordOf("deny", "policy-ask", "engine", "policy error: not_json at $"),
    );
    expect(resolver.asks).toEqual([]);
  });
});

describe("a question from two sources is put once", () => {
  it("with the check's words, and as demanded where the policy's rule demands it", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("the check asks"))
      .withPolicy(stubPolicy(policyDecision("ask", { configuredAsk: true })))
      .withAskResolver(resolver);
    const { invoke, inputs } = gateRig(gate);
    await invoke();
    expect(resolver.asks.map(({ prompt, configured_ask }) => [prompt, configured_ask])).toEqual([
      ["the check asks", true],
    ]);
    expect(inputs).toEqual([INPUT]);
  });

  it("and is not shown as a mere substitution floor where a check asks too", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withToolCheck("t", PermissionCheck.ask("the check asks"))
      .withPolicy(stubPolicy(policyDecision("ask", { flooredConfiguredAllow: true })))
      .withAskResolver(resolver);
    await gateRig(gate).invoke();
    expect(resolver.asks[0]).not.toHaveProperty("floored_configured_allow");
  });
});

it("[CASE-060] a rule's question is not lifted by a gate that allows, whichever stands outside", async () => {
  const asking = () =>
    PermissionMiddleware.fromContext().withPolicy(stubPolicy(policyDecision("ask", { configuredAsk: true })));
  for (const gates of [
    [PermissionMiddleware.allowAll(), asking()],
    [asking(), PermissionMiddleware.allowAll()],
  ]) {
    const { invoke, evaluate, inputs } = gateRig(gates);
    expect((await evaluate({ input: "git push" }))?.verdict).toBe("ask");
    expect((await invoke({ input: "git push" })).gate?.verdict).toBe("ask_unresolved");
    expect(inputs).toEqual([]);
  }
});
