import {
  type AskResolution,
  type AskResolver,
  isPermissionGateError,
  PermissionCheck,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { deferred, gateRig, recordOf, stubPolicy, turn } from "../support/gate-rig.js";

const asking = (resolver: AskResolver) =>
  PermissionMiddleware.fromContext()
    .withNamedCheck("own", () => PermissionCheck.ask("run?"))
    .withAskResolver(resolver);

const CANCELLED = recordOf("cancelled", "own", "middleware", "cancelled while awaiting approval");

/** A resolver whose one answer comes when the test says so, and that keeps what its signal told. */
function held() {
  const answer = deferred<AskResolution>();
  const signals: AbortSignal[] = [];
  const resolver: AskResolver = {
    interactive: false,
    resolve(_, { signal }) {
      signals.push(signal);
      return answer.promise;
    },
  };
  return { resolver, answer: answer.resolve, signals };
}

describe("a call cancelled before it began", () => {
  it("makes no prompt", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const { invoke, inputs } = gateRig(asking(resolver));
    const result = await invoke({ signal: AbortSignal.abort() });
    expect(result.gate).toEqual(CANCELLED);
    expect(resolver.asks).toEqual([]);
    expect(inputs).toEqual([]);
  });

  it("is cancelled rather than unresolved where there is nobody to ask either", async () => {
    const gate = PermissionMiddleware.fromContext().withNamedCheck("own", () => PermissionCheck.ask("run?"));
    expect((await gateRig(gate).invoke({ signal: AbortSignal.abort() })).gate).toEqual(CANCELLED);
  });

  it("does not run the tool where a check allows it", async () => {
    const { invoke, inputs } = gateRig(PermissionMiddleware.allowAll());
    const result = await invoke({ signal: AbortSignal.abort() });
    expect(result).toMatchObject({ isError: true, errorKind: "cancelled", durationMs: 0 });
    expect(inputs).toEqual([]);
  });

  it("is denied all the same where a check denies it", async () => {
    const result = await gateRig(PermissionMiddleware.denyAll()).invoke({ signal: AbortSignal.abort() });
    expect(result.gate?.verdict).toBe("deny");
  });
});

describe("a call cancelled while it is being decided", () => {
  const never = () => new Promise<never>(() => {});
  it.each<[string, PermissionMiddleware, string]>([
    ["a named check", PermissionMiddleware.fromContext().withNamedCheck("own", never), "own"],
    ["an unnamed check", PermissionMiddleware.fromContext().withCheck(never), "middleware"],
    ["a tool's check", PermissionMiddleware.fromContext().withToolCheck("t", never), "middleware"],
    ["a policy", PermissionMiddleware.fromContext().withPolicy(stubPolicy(never)), "middleware"],
  ])("ends as cancelled while %s is pending, without a prompt", async (_, gate, ruleId) => {
    const resolver = scriptedResolver(["Approve"]);
    const cancel = new AbortController();
    const { invoke, inputs, clock, warnings } = gateRig(gate.withAskResolver(resolver));
    const running = invoke({ signal: cancel.signal });
    cancel.abort();
    const result = await running;
    expect(result.gate).toEqual(recordOf("cancelled", ruleId, "engine", "cancelled while deciding"));
    expect(result.output).toBe("Permission cancelled while deciding for tool 't'");
    expect(resolver.asks).toEqual([]);
    expect(inputs).toEqual([]);
    expect(clock.timerCount).toBe(0);
    expect(warnings()).toHaveLength(1);
  });

  it("beats a check that answers in the same turn, in both orders", async () => {
    for (const answersFirst of [true, false]) {
      const check = deferred<PermissionCheck>();
      const cancel = new AbortController();
      const { invoke, inputs } = gateRig(PermissionMiddleware.fromContext().withCheck(() => check.promise));
      const running = invoke({ signal: cancel.signal });
      await turn();
      if (answersFirst) check.resolve(PermissionCheck.allow());
      cancel.abort();
      if (!answersFirst) check.resolve(PermissionCheck.allow());
      expect((await running).gate?.reason).toBe("cancelled while deciding");
      expect(inputs).toEqual([]);
    }
  });

  it("makes no prompt where a synchronous check cancels the call and asks", async () => {
    const resolver = scriptedResolver(["Approve"]);
    const cancel = new AbortController();
    const gate = PermissionMiddleware.fromContext()
      .withNamedCheck("own", () => {
        cancel.abort();
        return PermissionCheck.ask("run?");
      })
      .withAskResolver(resolver);
    expect((await gateRig(gate).invoke({ signal: cancel.signal })).gate).toEqual(CANCELLED);
    expect(resolver.asks).toEqual([]);
  });

  it("does not run the tool where a check cancels the call and allows", async () => {
    const cancel = new AbortController();
    const gate = PermissionMiddleware.fromContext().withCheck(() => {
      cancel.abort();
      return PermissionCheck.allow();
    });
    const { invoke, inputs } = gateRig(gate);
    expect(await invoke({ signal: cancel.signal })).toMatchObject({ errorKind: "cancelled", isError: true });
    expect(inputs).toEqual([]);
  });
});

describe("a call cancelled while it waits for an answer", () => {
  it("tells the resolver by its signal, with the reason, before anything else can answer", async () => {
    const { resolver, signals } = held();
    const cancel = new AbortController();
    const { invoke } = gateRig(asking(resolver));
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    expect(signals[0]?.aborted).toBe(true);
    expect(isPermissionGateError(signals[0]?.reason, "ask_cancelled")).toBe(true);
    expect((await running).gate).toEqual(CANCELLED);
  });

  it("is told to the resolver as a cancelled outcome", async () => {
    const resolver = scriptedResolver(["never"]);
    const cancel = new AbortController();
    const running = gateRig(asking(resolver)).invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    await running;
    expect(resolver.outcomes.map(({ outcome }) => outcome)).toEqual(["cancelled"]);
  });

  it("beats an answer of the same turn, whichever comes first", async () => {
    for (const answersFirst of [true, false]) {
      const { resolver, answer } = held();
      const cancel = new AbortController();
      const { invoke, inputs } = gateRig(asking(resolver));
      const running = invoke({ signal: cancel.signal });
      await turn();
      if (answersFirst) answer("Approve");
      cancel.abort();
      if (!answersFirst) answer("Approve");
      const result = await running;
      expect(result.gate).toEqual(CANCELLED);
      expect(result.trail).toEqual([CANCELLED]);
      expect(inputs).toEqual([]);
    }
  });

  it("beats a deadline of the same turn, whichever comes first", async () => {
    for (const deadlineFirst of [true, false]) {
      const { resolver } = held();
      const cancel = new AbortController();
      const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(10));
      const running = invoke({ signal: cancel.signal });
      await turn();
      if (deadlineFirst) clock.advance(10);
      cancel.abort();
      if (!deadlineFirst) clock.advance(10);
      expect((await running).gate).toEqual(CANCELLED);
    }
  });

  it("beats answer and deadline together", async () => {
    const { resolver, answer } = held();
    const cancel = new AbortController();
    const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(10));
    const running = invoke({ signal: cancel.signal });
    await turn();
    answer("Approve");
    clock.advance(10);
    cancel.abort();
    expect((await running).gate).toEqual(CANCELLED);
  });

  it("is not undone by an answer that comes after it", async () => {
    const { resolver, answer } = held();
    const cancel = new AbortController();
    const { invoke, inputs, reports } = gateRig(asking(resolver));
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    const result = await running;
    answer("Approve");
    await turn();
    expect(result.trail).toEqual([CANCELLED]);
    expect(inputs).toEqual([]);
    expect(reports).toHaveLength(1);
  });

  it("is not undone by a resolver that answers when its signal fires", async () => {
    const resolver: AskResolver = {
      interactive: false,
      resolve: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("Approve"))),
    };
    const cancel = new AbortController();
    const { invoke, inputs } = gateRig(asking(resolver));
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    expect((await running).gate).toEqual(CANCELLED);
    expect(inputs).toEqual([]);
  });

  it("right before the tool runs keeps it from running, though the answer was yes", async () => {
    const cancel = new AbortController();
    const inner = PermissionMiddleware.fromContext().withCheck(() => {
      cancel.abort();
      return PermissionCheck.allow();
    });
    const { invoke, inputs } = gateRig([asking(scriptedResolver(["Approve"])), inner]);
    const result = await invoke({ signal: cancel.signal });
    expect(result).toMatchObject({ errorKind: "cancelled", isError: true, durationMs: 0 });
    expect(inputs).toEqual([]);
  });
});
