import {
  type AskAnswer,
  argsDigest,
  createGrant,
  descriptorDigest,
  descriptorFingerprint,
  MemoryGrantStore,
  PermissionCheck,
  type Remember,
} from "@x/permission-core";
import { type ScriptedAnswer, scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import type { PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, policyDecision, stubPolicy } from "../support/gate-rig.js";

const ASK = PermissionCheck.ask("run?");
const descriptor = { name: "t", description: "Says that it ran", inputSchema: {} };

/** A gate that asks, with a store, whose resolver gives these answers. */
function rememberingRig(
  answers: readonly ScriptedAnswer[],
  change: (gate: PermissionMiddleware) => void = () => {},
) {
  const store = new MemoryGrantStore();
  const resolver = scriptedResolver(answers);
  const gate = gateSaying(ASK)
    .withGrants(store, { rememberTools: ["t"] })
    .withAskResolver(resolver);
  change(gate);
  return { ...gateRig(gate), store, resolver };
}

describe("an answer that is to be remembered", () => {
  it("for this call is saved as exactly that, pinned to the tool as it describes itself", async () => {
    const { invoke, store, clock, resolver } = rememberingRig([
      { resolution: "Approve", remember: "this_call", decided_by: "ann" },
    ]);
    await invoke();
    expect(await store.load()).toEqual([
      createGrant(
        "t",
        "Allow",
        { this_call: { args: INPUT } },
        {
          pinnedDescriptor: descriptorDigest(descriptor),
          pinnedFingerprint: descriptorFingerprint(descriptor),
          createdAtMs: clock.now(),
          grantedBy: "ann",
        },
      ),
    ]);
    expect((await invoke()).gate?.rule_source).toBe("grant");
    expect((await invoke({ input: { path: "/tmp/y" } })).gate?.verdict).toBe("ask_denied");
    expect(resolver.asks).toHaveLength(2);
  });

  it("for this tool is saved as that, and answers every call of it", async () => {
    const { invoke, store } = rememberingRig([{ resolution: "Approve", remember: "this_tool" }]);
    await invoke();
    expect((await store.load()).map(({ scope, verdict }) => [scope, verdict])).toEqual([
      ["this_tool", "Allow"],
    ]);
    expect((await invoke({ input: 1 })).gate?.rule_source).toBe("grant");
  });

  it.each<Exclude<Remember, "session">>(["this_call", "this_tool"])(
    "a no for %s refuses from then on",
    async (remember) => {
      const { invoke, store, resolver } = rememberingRig([{ resolution: "Deny", remember, reason: "never" }]);
      expect((await invoke()).gate?.reason).toBe("denied by user: never");
      const [saved] = await store.load();
      expect(saved?.verdict).toBe("Deny");
      expect((await invoke()).gate).toMatchObject({
        verdict: "deny",
        rule_id: saved?.id,
        rule_source: "grant",
      });
      expect(resolver.asks).toHaveLength(1);
    },
  );

  it("until a time is saved with it, and asked again after it", async () => {
    const { invoke, store, clock } = rememberingRig([
      { resolution: "Approve", remember: "this_call", remember_until_ms: 1_700_000_001_000 },
    ]);
    await invoke();
    expect((await store.load())[0]?.expires_at_ms).toBe(1_700_000_001_000);
    clock.advance(999);
    expect((await invoke()).gate?.rule_source).toBe("grant");
    clock.advance(1);
    expect((await invoke()).gate?.verdict).toBe("ask_denied");
  });

  it("is saved by the input as it stands at the gate, a rewrite beside the question included", async () => {
    const { invoke, store } = rememberingRig([{ resolution: "Approve", remember: "this_call" }], (gate) => {
      gate.withToolCheck("t", PermissionCheck.modify({ path: "/safe" }));
    });
    await invoke();
    expect((await store.load())[0]?.scope).toEqual({ this_call: { args: { path: "/safe" } } });
    expect((await invoke()).trail.map(({ verdict }) => verdict)).toEqual(["allow", "allow_modified"]);
  });

  it("and not to be remembered is not saved", async () => {
    const { invoke, store } = rememberingRig([
      "Approve",
      "Deny",
      { resolution: "Approve", decided_by: "ann" },
    ]);
    for (let call = 0; call < 3; call++) await invoke();
    expect(await store.load()).toEqual([]);
  });
});

describe("what is on offer to be remembered", () => {
  const offered = async (
    build: (gate: PermissionMiddleware) => void,
    call: Parameters<ReturnType<typeof gateRig>["invoke"]>[0] = {},
  ) => {
    const resolver = scriptedResolver(["Approve"]);
    const gate = gateSaying(ASK).withAskResolver(resolver);
    build(gate);
    await gateRig(gate).invoke(call);
    return resolver.asks[0]?.rememberable;
  };
  const rule = { scope: "user", tool: "t", pattern: "x", effect: "allow" } as const;
  const learning = stubPolicy(policyDecision("allow"), { learnable: () => rule });
  const session = { toolContext: { sessionId: "s" } };
  const store = () => new MemoryGrantStore();

  it("is nothing without a store and a policy", async () => {
    expect(await offered(() => {})).toBeUndefined();
  });

  it("is this call where there is a store, and the tool only where it was named", async () => {
    expect(await offered((gate) => gate.withGrants(store()))).toEqual(["this_call"]);
    expect(await offered((gate) => gate.withGrants(store(), { rememberTools: ["other"] }))).toEqual([
      "this_call",
    ]);
    expect(await offered((gate) => gate.withGrants(store(), { rememberTools: ["t"] }))).toEqual([
      "this_call",
      "this_tool",
    ]);
  });

  it("is not this call where the model's text says more than its value", async () => {
    const build = (gate: PermissionMiddleware) => gate.withGrants(store(), { rememberTools: ["t"] });
    expect(await offered(build, { inputText: '{"n":1.0}' })).toEqual(["this_tool"]);
    expect(await offered(build, { inputText: '{"n":1}' })).toEqual(["this_call", "this_tool"]);
  });

  it("is not the tool where a rule demands the question, since that could not answer it", async () => {
    const demanding = stubPolicy(policyDecision("ask", { configuredAsk: true }));
    const build = (gate: PermissionMiddleware) =>
      gate.withPolicy(demanding).withGrants(store(), { rememberTools: ["t"] });
    expect(await offered(build)).toEqual(["this_call"]);
  });

  it("is the session where the policy can learn something and there is one", async () => {
    expect(await offered((gate) => gate.withPolicy(learning), session)).toEqual(["session"]);
    expect(await offered((gate) => gate.withPolicy(learning))).toBeUndefined();
    expect(
      await offered((gate) => gate.withPolicy(stubPolicy(policyDecision("allow"))), session),
    ).toBeUndefined();
    expect(await offered((gate) => gate.withPolicy(learning).withGrants(store()), session)).toEqual([
      "session",
      "this_call",
    ]);
  });

  it.each<[string, () => never | Promise<never>]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects", () => Promise.reject(new Error("no"))],
  ])(
    "is not the session where asking the policy %s, and the question is put all the same",
    async (_, learnable) => {
      const policy = stubPolicy(policyDecision("allow"), { learnable });
      expect(await offered((gate) => gate.withPolicy(policy).withGrants(store()), session)).toEqual([
        "this_call",
      ]);
    },
  );

  it("is not widened by a resolver that changes the ask it was shown", async () => {
    const kept = store();
    const resolver = scriptedResolver([
      (ask): AskAnswer => {
        ask.rememberable?.push("this_tool");
        return { resolution: "Approve", remember: "this_tool" };
      },
    ]);
    const { invoke, warnings } = gateRig(gateSaying(ASK).withGrants(kept).withAskResolver(resolver));
    expect((await invoke()).output).toBe("ran");
    expect(await kept.load()).toEqual([]);
    expect(warnings()).toHaveLength(1);
  });
});

it("[CASE-034] asks about every word of a call: what is digested and remembered is the whole of it", async () => {
  const argv = (...words: string[]) => ({ argv: words });
  const whole = argv("env", "BASH_ENV=/tmp/e", "bash", "-lc", "echo SAFE");
  const { invoke, resolver } = rememberingRig([{ resolution: "Approve", remember: "this_call" }, "Deny"]);
  await invoke({ input: argv("bash", "-lc", "echo SAFE") });
  expect((await invoke({ input: whole })).gate?.verdict).toBe("ask_denied");
  expect(resolver.asks[1]?.args_digest).toBe(argsDigest(whole));
});
