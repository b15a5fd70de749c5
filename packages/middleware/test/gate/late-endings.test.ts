import {
  type AskAnswer,
  type GrantStore,
  MemoryGrantStore,
  PermissionCheck,
  type Rule,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, TimeoutMiddleware } from "../../src/index.js";
import {
  gateRig,
  gateSaying,
  INPUT,
  policyDecision,
  recordOf,
  stubPolicy,
  turn,
} from "../support/gate-rig.js";

const never = () => new Promise<never>(() => {});
const session = { toolContext: { sessionId: "session-1" } };
const RULE: Rule = { scope: "user", tool: "t", pattern: "x", effect: "allow" };
const forSession = { resolution: "Approve", remember: "session" } as const;

/** A store whose look-ups go by this list, one after the other, and find nothing after it. */
function storeWith(...finds: (() => Promise<never>)[]): GrantStore {
  return Object.assign(new MemoryGrantStore(), { find: () => (finds.shift() ?? (async () => []))() });
}
const findsNothing = (async () => []) as unknown as () => Promise<never>;
const fails = () => Promise.reject(new Error("disk gone"));

const asking = () =>
  PermissionMiddleware.fromContext().withNamedCheck("own", () => PermissionCheck.ask("run?"));
const CANCELLED = recordOf("cancelled", "own", "middleware", "cancelled while awaiting approval");

describe("a call whose signal has fired", () => {
  it("is cancelled while deciding where its check would have to be waited for", async () => {
    const gate = PermissionMiddleware.fromContext().withNamedCheck("own", async () =>
      PermissionCheck.allow(),
    );
    const { invoke, inputs } = gateRig(gate);
    expect((await invoke({ signal: AbortSignal.abort() })).gate).toEqual(
      recordOf("cancelled", "own", "engine", "cancelled while deciding"),
    );
    expect(inputs).toEqual([]);
  });

  it("while a question meets what is remembered makes no prompt", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const cancel = new AbortController();
    const { invoke } = gateRig(asking().withGrants(storeWith(findsNothing, never)).withAskResolver(resolver));
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    expect((await running).gate).toEqual(CANCELLED);
    expect(resolver.asks).toEqual([]);
  });

  it("while a policy is asked what it can learn makes no prompt", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const cancel = new AbortController();
    const policy = stubPolicy(policyDecision("allow"), { learnable: never });
    const { invoke, reports } = gateRig(asking().withPolicy(policy).withAskResolver(resolver));
    const running = invoke({ signal: cancel.signal, ...session });
    await turn();
    cancel.abort();
    expect((await running).gate).toEqual(CANCELLED);
    expect(resolver.asks).toEqual([]);
    expect(reports.map(({ level }) => level)).toEqual(["warn"]);
  });

  it.each<[string, PermissionMiddleware]>([
    ["a grant", asking().withGrants(Object.assign(new MemoryGrantStore(), { save: never }))],
    [
      "a rule",
      asking().withPolicy(stubPolicy(policyDecision("allow"), { learnable: () => RULE, learn: never })),
    ],
  ])("while %s is saved does not run, though the answer was yes and stays recorded", async (kept, gate) => {
    const answer: AskAnswer =
      kept === "a rule" ? forSession : { resolution: "Approve", remember: "this_call" };
    const cancel = new AbortController();
    const { invoke, inputs } = gateRig(gate.withAskResolver(scriptedResolver([answer])));
    const running = invoke({ signal: cancel.signal, ...session });
    await turn();
    cancel.abort();
    expect(await running).toMatchObject({
      errorKind: "cancelled",
      isError: true,
      gate: { verdict: "ask_allowed" },
    });
    expect(inputs).toEqual([]);
  });
});

describe("a timeout outside the gate", () => {
  it("that fires while a policy is asked what it can learn leaves no prompt behind", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const policy = stubPolicy(policyDecision("allow"), { learnable: never });
    const gate = asking().withPolicy(policy).withAskResolver(resolver);
    const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(10), gate]);
    const running = invoke(session);
    await turn();
    clock.advance(10);
    expect((await running).errorKind).toBe("timeout");
    await turn();
    expect(resolver.asks).toEqual([]);
    expect(inputs).toEqual([]);
  });

  it("that fires while a check is pending leaves no record: no gate has decided, and none decides later", async () => {
    const gate = PermissionMiddleware.fromContext().withCheck(never);
    const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(10), gate]);
    const running = invoke();
    clock.advance(10);
    const result = await running;
    await turn();
    expect(result).toMatchObject({ errorKind: "timeout", gate: null, trail: [] });
    expect(inputs).toEqual([]);
  });
});

describe("a store that fails late", () => {
  it("in the look-up for a question leaves the question, and offers nothing of it", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { invoke, errors } = gateRig(
      asking().withGrants(storeWith(findsNothing, fails)).withAskResolver(resolver),
    );
    expect((await invoke()).gate?.verdict).toBe("ask_allowed");
    expect(resolver.asks).toHaveLength(1);
    expect(resolver.asks[0]).not.toHaveProperty("rememberable");
    expect(errors()).toHaveLength(1);
  });

  it("in the look-up for an approver's input goes by the approval, which was just given", async () => {
    const resolver = scriptedResolver([{ resolution: "Approve", modified_input: { path: "/b" } }]);
    const gate = asking()
      .withGrants(storeWith(findsNothing, findsNothing, fails))
      .withAskResolver(resolver);
    const { invoke, inputs, errors } = gateRig(gate);
    expect((await invoke()).gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([{ path: "/b" }]);
    expect(resolver.asks).toHaveLength(1);
    expect(errors()).toHaveLength(1);
  });

  it("in a dry run leaves the question, and a cancel of the look-up is a cancel", async () => {
    const silent = { onReport: () => {} };
    const failing = asking().withGrants(storeWith(findsNothing, fails));
    expect(await failing.evaluate("t", INPUT, silent)).toEqual(recordOf("ask", "own", "middleware", "run?"));
    const cancel = new AbortController();
    const evaluating = asking()
      .withGrants(storeWith(findsNothing, never))
      .evaluate("t", INPUT, { signal: cancel.signal });
    await turn();
    cancel.abort();
    expect(await evaluating).toEqual(CANCELLED);
  });
});

it("a policy that takes too long to learn is reported, and the call goes by the answer", async () => {
  const policy = stubPolicy(policyDecision("ask"), { learnable: () => RULE, learn: never });
  const gate = PermissionMiddleware.fromContext()
    .withPolicy(policy)
    .withAskResolver(scriptedResolver([forSession]));
  const { invoke, clock, errors } = gateRig(gate);
  const running = invoke(session);
  await turn();
  clock.advance(30_000);
  expect((await running).output).toBe("ran");
  expect(errors().map(({ message }) => message)).toEqual([
    "A policy could not learn an answer for a call of tool 't'.",
  ]);
});

it("a rewrite that is asked about for want of a store is denied before anybody is asked where it cannot run", async () => {
  const resolver = scriptedResolver(["Approve"]);
  const gate = gateSaying(PermissionCheck.modify(Number.NaN))
    .withGrants(storeWith(fails))
    .withAskResolver(resolver);
  expect((await gateRig(gate).invoke()).gate?.reason).toBe("policy error: not_json at $");
  expect(resolver.asks).toEqual([]);
});
