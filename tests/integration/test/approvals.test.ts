import { getEventListeners } from "node:events";
import { ApprovalChannel } from "@x/ask-channel";
import {
  confirmTools,
  createGate,
  type Gate,
  type GateOptions,
  type Tool,
  type ToolCall,
} from "@x/middleware";
import { type GateDecision, MemoryGrantStore, type PendingAsk, PermissionCheck } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { afterAll, beforeAll, expect, it } from "vitest";

const warnings: Error[] = [];
const onWarning = (warning: Error) => void warnings.push(warning);
beforeAll(() => void process.on("warning", onWarning));
afterAll(() => void process.off("warning", onWarning));

/** Lets whatever is ready come through. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A gate that asks about every deploy through an approval channel. */
function gateOverChannel(more: Partial<GateOptions<Tool[]>> = {}) {
  const { resolver, approver } = ApprovalChannel.pair(16, { onReport: () => {} });
  const clock = new ManualClock();
  const decisions: GateDecision[] = [];
  const runs: unknown[] = [];
  const deploy: Tool = {
    name: "deploy",
    description: "Deploys to a target",
    inputSchema: {},
    call(input) {
      runs.push(input);
      return "deployed";
    },
  };
  const gate: Gate = createGate({
    tools: [deploy] as Tool[],
    checks: { deploy: PermissionCheck.allow() },
    hooks: [confirmTools(["deploy"])],
    askResolver: resolver,
    observers: [{ onGateDecision: ({ decision }) => void decisions.push(decision) }],
    clock,
    onReport: () => {},
    ...more,
  });
  return { gate, approver, resolver, clock, decisions, runs };
}

const callOf = (target: string, more: Partial<ToolCall> = {}): ToolCall =>
  ({ toolName: "deploy", callId: target, input: { target }, ...more }) as ToolCall;

/** The next ask that waits; there must be one. */
async function nextOf(approver: { nextPending(): Promise<PendingAsk | null> }): Promise<PendingAsk> {
  const ask = await approver.nextPending();
  if (ask === null) throw new Error("Nothing waits.");
  return ask;
}

it("[CASE-097] gives each waiting question its own answer, whatever the others are told", async () => {
  const { gate, approver, runs } = gateOverChannel({ grants: new MemoryGrantStore() });
  const done: string[] = [];
  const dispatch = (target: string) =>
    gate.dispatch(callOf(target)).then((result) => {
      done.push(target);
      return result;
    });
  const [first, second] = [dispatch("q1"), dispatch("q2")];
  const [q1, q2] = [await nextOf(approver), await nextOf(approver)];
  expect(await approver.answer(q1, "Deny")).toBe("delivered");
  expect((await first).isError).toBe(true);
  expect((await approver.list()).map(({ id }) => id)).toEqual([q2.id]);

  const [third, fourth] = [dispatch("q3"), dispatch("q4")];
  const [q3, q4] = [await nextOf(approver), await nextOf(approver)];
  await approver.answer(q3, { resolution: "Approve", remember: "this_call" });
  expect((await third).output).toBe("deployed");
  await turn();
  expect(done).toEqual(["q1", "q3"]);
  expect((await approver.list()).map(({ id }) => id)).toEqual([q2.id, q4.id]);

  await approver.answer(q2, "Approve");
  await approver.answer(q4, "Deny");
  expect((await second).output).toBe("deployed");
  expect((await fourth).isError).toBe(true);
  expect(runs).toEqual([{ target: "q3" }, { target: "q2" }]);
  await gate.close();
});

it.each([0, undefined, Number.POSITIVE_INFINITY])(
  "[CASE-130] waits for a person for as long as it takes with a limit of %s",
  async (askTimeoutMs) => {
    const { gate, approver, clock } = gateOverChannel(askTimeoutMs === undefined ? {} : { askTimeoutMs });
    const running = gate.dispatch(callOf("q1"));
    const ask = await nextOf(approver);
    expect(ask.expires_at_ms).toBeUndefined();
    clock.advance(10 * 60_000);
    await turn();
    clock.advance(2 ** 32);
    await turn();
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    expect((await running).output).toBe("deployed");
    await gate.close();
  },
);

it("[CASE-130] tells a question that nobody answered from one that a person refused", async () => {
  const { gate, approver, clock, decisions } = gateOverChannel({ askTimeoutMs: 300_000 });
  const expiring = gate.dispatch(callOf("q1"));
  const q1 = await nextOf(approver);
  clock.advance(300_000);
  const expired = await expiring;
  const refusing = gate.dispatch(callOf("q2"));
  await approver.answer(await nextOf(approver), "Deny");
  const refused = await refusing;
  expect(expired.output).toBe("Permission ask expired unanswered for tool 'deploy'");
  expect(refused.output).toBe("Permission denied by approver for tool 'deploy'");
  expect(decisions.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    ["ask_expired", "ask expired unanswered"],
    ["ask_denied", "denied by approver"],
  ]);
  expect(await approver.answer(q1, "Approve")).toBe("expired");
  await gate.close();
});

it.each(["cancel", "close"])(
  "[CASE-132] takes no answer once the run was stopped by a %s: nothing runs, nothing is remembered",
  async (how) => {
    const grants = new MemoryGrantStore();
    const { gate, approver, runs, decisions } = gateOverChannel({ grants });
    const cancel = new AbortController();
    const running = gate.dispatch(callOf("q1", { signal: cancel.signal }));
    const ending = expect(running).rejects.toMatchObject({ code: "run_cancelled" });
    const ask = await nextOf(approver);
    if (how === "cancel") cancel.abort();
    else await gate.close();
    expect(await approver.answer(ask, { resolution: "Approve", remember: "this_call" })).toBe("cancelled");
    await ending;
    await turn();
    expect(decisions).toMatchObject([{ verdict: "cancelled", reason: "cancelled while awaiting approval" }]);
    expect(runs).toEqual([]);
    expect(await grants.load()).toEqual([]);
    expect(await approver.list()).toEqual([]);
    await gate.close();
  },
);

it.each(["answer, then deadline", "deadline, then answer"])(
  "[CASE-133] has one winner in one turn of the loop, and tells the person which: %s",
  async (order) => {
    const { gate, approver, clock, decisions, runs } = gateOverChannel({ askTimeoutMs: 1_000 });
    const running = gate.dispatch(callOf("q1"));
    const ask = await nextOf(approver);
    if (order.startsWith("deadline")) clock.advance(1_000);
    const answered = approver.answer(ask, "Approve");
    if (order.startsWith("answer")) clock.advance(1_000);
    const status = await answered;
    const result = await running;
    const accepted = status === "delivered";
    expect(accepted).toBe(true);
    expect(result.gate?.verdict).toBe("ask_allowed");
    expect(decisions).toHaveLength(1);
    expect(runs).toHaveLength(1);
    await gate.close();
  },
);

it("[CASE-133] tells a person who is one turn late that the question has expired", async () => {
  const { gate, approver, clock, decisions, runs } = gateOverChannel({ askTimeoutMs: 1_000 });
  const running = gate.dispatch(callOf("q1"));
  const ask = await nextOf(approver);
  clock.advance(1_000);
  await turn();
  expect(await approver.answer(ask, "Approve")).toBe("expired");
  expect((await running).isError).toBe(true);
  expect(decisions).toMatchObject([{ verdict: "ask_expired" }]);
  expect(runs).toEqual([]);
  await gate.close();
});

it("[CASE-141] leaves no listener on a signal that five hundred questions share, however they end", async () => {
  const { gate, approver, clock } = gateOverChannel({ askTimeoutMs: 1_000 });
  const { signal } = new AbortController();
  for (let count = 0; count < 500; count++) {
    const running = gate.dispatch(callOf(`q${count}`, { signal }));
    const ask = await nextOf(approver);
    if (count % 3 === 0) clock.advance(1_000);
    else await approver.answer(ask, count % 3 === 1 ? "Approve" : "Deny");
    await running;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  }
  await gate.close();
  expect(clock.timerCount).toBe(0);
  expect(warnings).toEqual([]);
});

it("[CASE-141] leaves no listener when the shared signal itself ends the questions", async () => {
  const { gate, approver, clock } = gateOverChannel({ askTimeoutMs: 1_000 });
  const cancel = new AbortController();
  const calls = Array.from({ length: 500 }, (_, index) => callOf(`q${index}`, { signal: cancel.signal }));
  const running = gate.dispatchAll(calls, { maxConcurrency: 500 });
  await turn();
  expect(getEventListeners(cancel.signal, "abort").length).toBeLessThanOrEqual(1);
  cancel.abort();
  expect((await running).map(({ status }) => status)).toEqual(Array(500).fill("cancelled"));
  expect(getEventListeners(cancel.signal, "abort")).toEqual([]);
  await gate.close();
  // Held until here: an approver that is collected denies whoever waits.
  await approver.close();
  expect(clock.timerCount).toBe(0);
  expect(warnings).toEqual([]);
});

it("keeps a thousand questions apart that wait at once, answered in any order", async () => {
  const { gate, approver, resolver, clock, runs } = gateOverChannel();
  const calls = Array.from({ length: 1_000 }, (_, index) => callOf(`q${index}`));
  const running = gate.dispatchAll(calls, { maxConcurrency: 1_000 });
  await turn();
  const asks = await approver.list();
  expect(new Set(asks.map(({ id }) => id)).size).toBe(1_000);
  const approves = ({ call_id }: PendingAsk) => Number(call_id.slice(1)) % 7 === 0;
  // Not in the order in which they were put.
  const shuffled = asks.toSorted((left, right) => (left.args_digest < right.args_digest ? -1 : 1));
  for (const ask of shuffled) {
    expect(await approver.answer(ask, approves(ask) ? "Approve" : "Deny")).toBe("delivered");
  }
  const entries = await running;
  expect(entries.map((entry) => entry.status === "completed" && entry.result.isError)).toEqual(
    calls.map((_, index) => index % 7 !== 0),
  );
  expect(runs).toHaveLength(143);
  expect(resolver.load().waiting).toBe(0);
  expect(clock.timerCount).toBe(0);
  await gate.close();
});
