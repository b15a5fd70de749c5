import {
  type AskResolution,
  type AskResolver,
  isPermissionGateError,
  PermissionCheck,
} from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, TimeoutMiddleware } from "../../src/index.js";
import { deferred, gateRig, recordOf, turn } from "../support/gate-rig.js";

const EXPIRED = recordOf("ask_expired", "own", "engine", "ask expired unanswered");

function askingGate() {
  const answer = deferred<AskResolution>();
  const signals: AbortSignal[] = [];
  const resolver: AskResolver = {
    interactive: false,
    resolve(_, { signal }) {
      signals.push(signal);
      return answer.promise;
    },
  };
  const gate = PermissionMiddleware.fromContext()
    .withNamedCheck("own", () => PermissionCheck.ask("run?"))
    .withAskResolver(resolver);
  return { gate, answer: answer.resolve, signals };
}

/** A tool that answers when the test says so, and keeps its signal. */
function slowTool() {
  const output = deferred<string>();
  const signals: AbortSignal[] = [];
  let calls = 0;
  const call = (_: unknown, { signal }: { signal: AbortSignal }) => {
    calls++;
    signals.push(signal);
    return output.promise;
  };
  return { tool: { call }, output, signals, calls: () => calls };
}

describe("a timeout round a tool", () => {
  it.each<[number, string]>([
    [1, "1s"],
    [999, "1s"],
    [1_000, "1s"],
    [1_001, "2s"],
    [90_500, "91s"],
    [0.5, "1s"],
  ])("of %s ms answers with the seconds rounded up: %s", async (timeoutMs, seconds) => {
    const { tool, signals } = slowTool();
    const { invoke, clock } = gateRig([new TimeoutMiddleware(timeoutMs), PermissionMiddleware.allowAll()], {
      tool,
    });
    const running = invoke();
    clock.advance(timeoutMs);
    const result = await running;
    expect(result).toMatchObject({
      output: `Tool 't' timed out after ${seconds}`,
      isError: true,
      errorKind: "timeout",
      gate: recordOf("allow", "middleware", "middleware"),
    });
    expect(isPermissionGateError(signals[0]?.reason, "ask_expired")).toBe(true);
    expect(clock.timerCount).toBe(0);
  });

  it("does not fire a millisecond early, nor once the tool has answered", async () => {
    const { tool, output, signals } = slowTool();
    const { invoke, clock } = gateRig([new TimeoutMiddleware(1_000), PermissionMiddleware.allowAll()], {
      tool,
    });
    const running = invoke();
    clock.advance(999);
    await turn();
    output.resolve("done");
    expect((await running).output).toBe("done");
    expect(clock.timerCount).toBe(0);
    clock.advance(10_000);
    expect(signals[0]?.aborted).toBe(false);
  });

  it("goes by the tool's answer of the same tick", async () => {
    const { tool, output } = slowTool();
    const { invoke, clock } = gateRig([new TimeoutMiddleware(10), PermissionMiddleware.allowAll()], { tool });
    const running = invoke();
    clock.advance(10);
    output.resolve("just in time");
    expect((await running).output).toBe("just in time");
  });

  it("does not wait for a tool that ignores its signal, and what that gives later changes nothing", async () => {
    for (const late of ["done", new Error("late failure")]) {
      const { tool, output, calls } = slowTool();
      const { invoke, clock, reports } = gateRig(
        [new TimeoutMiddleware(10), PermissionMiddleware.allowAll()],
        { tool },
      );
      const running = invoke();
      clock.advance(10);
      const result = await running;
      const before = structuredClone(result);
      if (typeof late === "string") output.resolve(late);
      else output.reject(late);
      await turn();
      expect(result).toEqual(before);
      expect(calls()).toBe(1);
      expect(reports).toEqual([]);
    }
  });

  it("passes on what a tool throws", async () => {
    const call = () => Promise.reject(new Error("broken"));
    const result = await gateRig([new TimeoutMiddleware(10), PermissionMiddleware.allowAll()], {
      tool: { call },
    }).invoke();
    expect(result).toMatchObject({ output: "Tool 't' failed: broken", errorKind: "tool" });
  });

  it.each([0, Number.POSITIVE_INFINITY])("of %s is none", async (timeoutMs) => {
    const { invoke, clock } = gateRig([new TimeoutMiddleware(timeoutMs), PermissionMiddleware.allowAll()]);
    const running = invoke();
    expect(clock.timerCount).toBe(0);
    expect((await running).output).toBe("ran");
  });

  it.each([-1, Number.NaN])("of %s is refused with code invalid_option", (timeoutMs) => {
    expect(() => new TimeoutMiddleware(timeoutMs)).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });
});

describe("a timeout round a gate with a pending ask", () => {
  it("records the ask as expired, and the model reads of the timeout", async () => {
    const { gate, signals } = askingGate();
    const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(1_500), gate]);
    const running = invoke();
    await turn();
    clock.advance(1_500);
    const result = await running;
    expect(result).toMatchObject({
      output: "Tool 't' timed out after 2s",
      errorKind: "timeout",
      durationMs: 0,
    });
    expect(result.gate).toEqual(EXPIRED);
    expect(isPermissionGateError(signals[0]?.reason, "ask_expired")).toBe(true);
    expect(inputs).toEqual([]);
  });

  it("makes an answer that comes later inert: nothing runs, nothing is recorded", async () => {
    const { gate, answer } = askingGate();
    const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(10), gate]);
    const running = invoke();
    await turn();
    clock.advance(10);
    const result = await running;
    answer("Approve");
    await turn();
    expect(result.trail).toEqual([EXPIRED]);
    expect(inputs).toEqual([]);
  });

  it("goes by an answer of the same tick, in both orders", async () => {
    for (const answersFirst of [true, false]) {
      const { gate, answer } = askingGate();
      const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(10), gate]);
      const running = invoke();
      await turn();
      if (answersFirst) answer("Approve");
      clock.advance(10);
      if (!answersFirst) answer("Approve");
      const result = await running;
      expect(result.output).toBe("ran");
      expect(result.gate?.verdict).toBe("ask_allowed");
      expect(inputs).toHaveLength(1);
    }
  });

  it("leaves it to the ask's own deadline where that comes first", async () => {
    const { gate } = askingGate();
    const { invoke, clock } = gateRig([new TimeoutMiddleware(1_000), gate.withAskTimeout(10)]);
    const running = invoke();
    await turn();
    clock.advance(10);
    expect(await running).toMatchObject({ errorKind: "permission", gate: EXPIRED });
    expect(clock.timerCount).toBe(0);
  });

  it("makes no prompt where the time was up before the ask was raised", async () => {
    const check = deferred<PermissionCheck>();
    let prompts = 0;
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => check.promise)
      .withAskResolver(() => {
        prompts++;
        return true;
      });
    const { invoke, clock, inputs } = gateRig([new TimeoutMiddleware(10), gate]);
    const running = invoke();
    clock.advance(10);
    expect((await running).errorKind).toBe("timeout");
    check.resolve(PermissionCheck.ask("run?"));
    await turn();
    expect(prompts).toBe(0);
    expect(inputs).toEqual([]);
  });
});

describe("a call cancelled inside a timeout", () => {
  it("ends as its ask ends: cancelled, not expired", async () => {
    const { gate } = askingGate();
    const cancel = new AbortController();
    const { invoke, clock } = gateRig([new TimeoutMiddleware(10), gate]);
    const running = invoke({ signal: cancel.signal });
    await turn();
    clock.advance(10);
    cancel.abort();
    const result = await running;
    expect(result.gate).toEqual(
      recordOf("cancelled", "own", "middleware", "cancelled while awaiting approval"),
    );
    expect(result.output).toBe("Permission cancelled while awaiting approval for tool 't'");
  });

  it("does not wait for a tool that ignores its signal", async () => {
    const { tool, signals } = slowTool();
    const cancel = new AbortController();
    const { invoke } = gateRig([new TimeoutMiddleware(10), PermissionMiddleware.allowAll()], { tool });
    const running = invoke({ signal: cancel.signal });
    await turn();
    cancel.abort();
    expect(await running).toMatchObject({
      output: "Tool 't' was cancelled",
      errorKind: "cancelled",
      isError: true,
    });
    expect(signals[0]?.aborted).toBe(true);
  });
});

describe("timeouts within timeouts", () => {
  it.each<[string, number, number, string]>([
    ["the outer", 1_000, 5_000, "1s"],
    ["the inner", 5_000, 1_000, "1s"],
    ["either, where both are due", 1_000, 1_000, "1s"],
  ])("end with %s, whichever is due first, and one record", async (_, outerMs, innerMs, seconds) => {
    const { gate } = askingGate();
    const { invoke, clock, inputs } = gateRig([
      new TimeoutMiddleware(outerMs),
      new TimeoutMiddleware(innerMs),
      gate,
    ]);
    const running = invoke();
    await turn();
    clock.advance(1_000);
    const result = await running;
    expect(result.output).toBe(`Tool 't' timed out after ${seconds}`);
    expect(result.trail).toEqual([EXPIRED]);
    expect(inputs).toEqual([]);
    await turn();
    expect(clock.timerCount).toBe(0);
  });
});
