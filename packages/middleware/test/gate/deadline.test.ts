import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  isPermissionGateError,
  MemoryGrantStore,
  PermissionCheck,
  parsePendingAsk,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, ToolPipeline } from "../../src/index.js";
import { deferred, gateRig, recordOf, turn } from "../support/gate-rig.js";

const asking = (resolver: AskResolver) =>
  PermissionMiddleware.fromContext()
    .withNamedCheck("own", () => PermissionCheck.ask("run?"))
    .withAskResolver(resolver);

const EXPIRED = recordOf("ask_expired", "own", "engine", "ask expired unanswered");

function held() {
  const answer = deferred<AskResolution | AskAnswer>();
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

describe("the deadline of an ask", () => {
  it("ends it at its very millisecond and not one before, and tells the resolver", async () => {
    const { resolver, signals } = held();
    const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(1_000));
    const running = invoke();
    await turn();
    clock.advance(999);
    await turn();
    expect(signals[0]?.aborted).toBe(false);
    clock.advance(1);
    expect((await running).gate).toEqual(EXPIRED);
    expect(isPermissionGateError(signals[0]?.reason, "ask_expired")).toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it.each([0, Number.POSITIVE_INFINITY])("is none where the time is %s", async (timeoutMs) => {
    const { resolver, answer } = held();
    const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(timeoutMs));
    const running = invoke();
    await turn();
    expect(clock.timerCount).toBe(0);
    clock.advance(Number.MAX_SAFE_INTEGER - clock.now());
    answer("Approve");
    expect((await running).gate?.verdict).toBe("ask_allowed");
  });

  it.each([0, Number.POSITIVE_INFINITY])(
    "is not told to the approver where the time is %s",
    async (timeoutMs) => {
      const resolver = scriptedResolver(["Approve"]);
      await gateRig(asking(resolver).withAskTimeout(timeoutMs)).invoke();
      expect(resolver.asks[0]).not.toHaveProperty("expires_at_ms");
    },
  );

  it("may lie beyond what a host's timer can count", async () => {
    const tooLong = 2 ** 31 + 5;
    const { resolver } = held();
    const { invoke, clock } = gateRig(asking(resolver).withAskTimeout(tooLong));
    const running = invoke();
    await turn();
    clock.advance(tooLong - 1);
    await turn();
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    expect((await running).gate).toEqual(EXPIRED);
  });

  it.each([0.5, 1_000.25, Number.MAX_VALUE])(
    "of %s ms still makes an ask of its wire form",
    async (timeoutMs) => {
      const resolver = scriptedResolver(["Approve"]);
      const { invoke } = gateRig(asking(resolver).withAskTimeout(timeoutMs));
      expect((await invoke()).gate?.verdict).toBe("ask_allowed");
      expect(parsePendingAsk(resolver.asks[0])).toEqual(resolver.asks[0]);
    },
  );

  it.each([-1, Number.NaN, Number.NEGATIVE_INFINITY, "5" as never, null as never])(
    "of %s is refused with code invalid_option",
    (timeoutMs) => {
      const gate = PermissionMiddleware.fromContext();
      for (const setTimeout of [
        () => gate.withAskTimeout(timeoutMs),
        () => gate.withCheckTimeout(timeoutMs),
        () => ToolPipeline.builder({ checkTimeoutMs: timeoutMs }),
      ]) {
        expect(setTimeout).toThrow(expect.objectContaining({ code: "invalid_option" }));
      }
    },
  );
});

describe("[CASE-133] answer and deadline in the same tick", () => {
  it("go by the answer, in both orders, and record and run agree", async () => {
    for (const answersFirst of [true, false]) {
      const { resolver, answer, signals } = held();
      const { invoke, clock, inputs } = gateRig(asking(resolver).withAskTimeout(10));
      const running = invoke();
      await turn();
      if (answersFirst) answer("Approve");
      clock.advance(10);
      if (!answersFirst) answer("Approve");
      const result = await running;
      expect(result.gate).toEqual(recordOf("ask_allowed", "ask", "ask_resolver"));
      expect(result.trail).toEqual([result.gate]);
      expect(inputs).toHaveLength(1);
      expect(signals[0]?.aborted).toBe(false);
    }
  });

  it("go by a refusal too", async () => {
    const { resolver, answer } = held();
    const { invoke, clock, inputs } = gateRig(asking(resolver).withAskTimeout(10));
    const running = invoke();
    await turn();
    clock.advance(10);
    answer({ resolution: "Deny", reason: "no" });
    expect((await running).gate?.reason).toBe("denied by user: no");
    expect(inputs).toEqual([]);
  });

  it("count an answer that passes through several promises on its way", async () => {
    const { resolver, answer } = held();
    const composed: AskResolver = {
      interactive: false,
      async resolve(ask, context) {
        const first = await resolver.resolve(ask, context);
        return await Promise.resolve(first).then(async (later) => await later);
      },
    };
    const { invoke, clock } = gateRig(asking(composed).withAskTimeout(10));
    const running = invoke();
    await turn();
    answer("Approve");
    clock.advance(10);
    expect((await running).gate?.verdict).toBe("ask_allowed");
  });

  it("leave an answer of the next tick without effect: nothing runs, and nothing is remembered", async () => {
    const { resolver, answer } = held();
    const store = new MemoryGrantStore();
    const gate = asking(resolver).withAskTimeout(10).withGrants(store);
    const { invoke, clock, inputs, reports } = gateRig(gate);
    const running = invoke();
    await turn();
    clock.advance(10);
    const result = await running;
    answer({ resolution: "Approve", remember: "this_call" });
    await turn();
    expect(result.trail).toEqual([EXPIRED]);
    expect(inputs).toEqual([]);
    expect(await store.load()).toEqual([]);
    expect(reports).toHaveLength(1);
  });

  it("leave a resolver that answers when its signal fires without effect", async () => {
    const resolver: AskResolver = {
      interactive: false,
      resolve: (_, { signal }) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve("Approve"))),
    };
    const { invoke, clock, inputs } = gateRig(asking(resolver).withAskTimeout(10));
    const running = invoke();
    await turn();
    clock.advance(10);
    expect((await running).gate).toEqual(EXPIRED);
    expect(inputs).toEqual([]);
  });
});
