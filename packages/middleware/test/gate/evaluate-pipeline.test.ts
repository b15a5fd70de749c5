import { type GrantStore, MemoryGrantStore, PermissionCheck, type PermissionMode } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

describe("a pipeline's dry run", () => {
  const named = (id: string, check: PermissionCheck) =>
    PermissionMiddleware.fromContext().withNamedCheck(id, () => check);
  const A = PermissionCheck.allow();
  const D = PermissionCheck.deny("no");
  const Q = PermissionCheck.ask("run?");
  const M = PermissionCheck.modify({ path: "/safe" });

  it.each<[string, readonly PermissionCheck[], string | null, string | null]>([
    ["null where nothing gates", [], null, null],
    ["the inner of two allows", [A, A], "allow", "g1"],
    ["a denial, wherever it stands", [A, Q, M, D], "deny", "g3"],
    ["the first of two denials", [A, D, D], "deny", "g1"],
    ["the outermost question", [A, Q, Q], "ask", "g1"],
    ["a question before a rewrite outside it", [M, Q], "ask", "g1"],
    ["a question before a rewrite inside it", [Q, M], "ask", "g0"],
    ["a rewrite before an allow", [A, M, A], "allow_modified", "g1"],
    ["the inner of two rewrites", [M, M], "allow_modified", "g1"],
  ])("gives %s", async (_, checks, verdict, ruleId) => {
    const { evaluate, inputs } = gateRig(checks.map((check, index) => named(`g${index}`, check)));
    const record = await evaluate();
    expect([record?.verdict ?? null, record?.rule_id ?? null]).toEqual([verdict, ruleId]);
    expect(inputs).toEqual([]);
  });

  it("shows inner gates what an outer one rewrites, also beside a question", async () => {
    const seen: unknown[] = [];
    const looking = PermissionMiddleware.fromContext().withCheck(({ input }) => {
      seen.push(input);
      return A;
    });
    const rewriteAndAsk = gateSaying(M).withPolicy(stubPolicy(policyDecision("ask")));
    await gateRig([gateSaying(M), looking]).evaluate();
    await gateRig([rewriteAndAsk, looking]).evaluate();
    expect(seen).toEqual([{ path: "/safe" }, { path: "/safe" }]);
  });

  it("never asks, saves, learns or executes, whatever stands in it", async () => {
    const calls: string[] = [];
    const resolver = scriptedResolver(["Approve", "Approve", "Approve", "Approve"]);
    const store = new MemoryGrantStore();
    const counted: GrantStore = {
      load: () => store.load(),
      find: (query) => store.find(query),
      save: (grant) => {
        calls.push("save");
        return store.save(grant);
      },
      revoke: (id) => store.revoke(id),
      clear: () => store.clear(),
    };
    const learn = () => {
      calls.push("learn");
      return null;
    };
    const gates = [A, Q, M, Q].map((check) =>
      named("own", check)
        .withPolicy(stubPolicy(policyDecision("ask"), { learn, learnable: learn }))
        .withAskResolver(resolver)
        .withGrants(counted, { rememberTools: ["t"] }),
    );
    const { evaluate, inputs, clock } = gateRig(gates);
    expect((await evaluate())?.verdict).toBe("ask");
    expect(calls).toEqual([]);
    expect(resolver.asks).toEqual([]);
    expect(inputs).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it("asks custom layers that take part, and passes over those that do not", async () => {
    const passive: ToolMiddleware = { name: "passive", dispatch: (_, next) => next() };
    const active: ToolMiddleware = {
      ...passive,
      name: "active",
      evaluate: async (context, next) => {
        context.input = { path: "/from-layer" };
        return next();
      },
    };
    const inner = PermissionMiddleware.fromContext().withCheck(({ input }) =>
      PermissionCheck.deny(JSON.stringify(input)),
    );
    expect((await gateRig([passive, active, inner]).evaluate())?.reason).toBe('{"path":"/from-layer"}');
  });

  it("fails closed where a custom layer throws, and reports that", async () => {
    const broken: ToolMiddleware = {
      name: "broken",
      dispatch: (_, next) => next(),
      evaluate: () => Promise.reject(new Error("no")),
    };
    const { evaluate, errors } = gateRig([broken, PermissionMiddleware.allowAll()]);
    expect(await evaluate()).toEqual(recordOf("deny", "engine", "engine", "policy error"));
    expect(errors()).toHaveLength(1);
  });

  it("denies what cannot run at all, and says why", async () => {
    const { evaluate } = gateRig(PermissionMiddleware.allowAll());
    expect((await evaluate({ toolName: "tt" }))?.reason).toBe("Unknown tool 'tt'; nearest known: 't'");
    expect((await evaluate({ inputText: "{" }))?.verdict).toBe("deny");
    expect(await evaluate({ input: Number.NaN })).toEqual(
      recordOf("deny", "engine", "engine", "policy error: not_json at $", { args_digest: "" }),
    );
  });

  it("asks a policy in its mode of that moment", async () => {
    const modes: PermissionMode[] = [];
    const policy = stubPolicy(({ mode }) => {
      modes.push(mode);
      return policyDecision("allow");
    });
    await gateRig(PermissionMiddleware.fromContext().withPolicy(policy, { mode: () => "plan" })).evaluate();
    expect(modes).toEqual(["plan"]);
  });
});
