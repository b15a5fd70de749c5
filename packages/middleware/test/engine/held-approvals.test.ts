import { type GateDecision, PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { confirmTools, PermissionMiddleware, RunStoppedError, TimeoutMiddleware } from "../../src/index.js";
import { callOf, engineFor, never, type Setup, toolOf, turn } from "../support/engine-harness.js";

/** An engine whose hook asks, and whose approver says yes. */
function approving(more: Setup = {}) {
  return engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => ({ resolution: "Approve", decided_by: "ana" }) },
    ...more,
  });
}

const gate = (check: () => PermissionCheck) => PermissionMiddleware.fromContext().withNamedCheck("g", check);
const verdicts = (trail: readonly GateDecision[]) => trail.map(({ verdict }) => verdict);

it("lets a pass-through of the pipeline not hide the consent", async () => {
  const { engine, observer } = approving({ layers: [gate(PermissionCheck.allow)] });
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "ask_allowed", rule_id: "ask" });
  expect(verdicts(result.trail)).toEqual(["ask_allowed", "allow"]);
  expect(observer.decisions).toEqual([result.gate]);
});

it("keeps the approver beside a rewrite that the pipeline makes", async () => {
  const { engine, observer } = approving({
    layers: [gate(() => PermissionCheck.modify({ target: "/tmp" }))],
  });
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "allow_modified", rule_id: "g" });
  expect(observer.events[3]?.event).toMatchObject({ decided_by: "ana" });
});

it("lets a denial of the pipeline displace the approval", async () => {
  let consulted = 0;
  // Allows in the dry run that comes before the question, and denies when the call arrives.
  const check = () => (consulted++ === 0 ? PermissionCheck.allow() : PermissionCheck.deny("changed my mind"));
  const { engine, observer, inputs } = approving({ layers: [gate(check)] });
  const result = await engine.dispatch(callOf());
  expect(result.gate).toMatchObject({ verdict: "deny", rule_id: "g", reason: "changed my mind" });
  expect(verdicts(result.trail)).toEqual(["ask_allowed", "deny"]);
  expect(observer.decisions).toEqual([result.gate]);
  expect(observer.events[3]?.event).toMatchObject({ ask_id: null, decided_by: null });
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "denied" });
  expect(inputs).toEqual([]);
});

it("emits the approval when a guard refuses the approved call", async () => {
  const refusing = { name: "g", before: () => ({ action: "refuse" as const, reason: "too tired" }) };
  const { engine, observer, inputs } = approving({ guards: [refusing] });
  const result = await engine.dispatch(callOf());
  expect(result).toMatchObject({ output: "too tired", isError: true, errorKind: "guard" });
  expect(result.gate).toMatchObject({ verdict: "ask_allowed" });
  expect(observer.decisions).toEqual([result.gate]);
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "failed" });
  expect(inputs).toEqual([]);
});

it("emits the approval when a guard stops the run, and gives it with the stop", async () => {
  const stopping = { name: "g", before: () => ({ action: "stop" as const, reason: "enough" }) };
  const { engine, observer, inputs } = approving({ guards: [stopping] });
  const error = await engine.dispatch(callOf()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RunStoppedError);
  expect((error as RunStoppedError).result.gate).toEqual(observer.decisions[0]);
  expect(observer.decisions).toMatchObject([{ verdict: "ask_allowed" }]);
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "stopped" });
  expect(inputs).toEqual([]);
});

it("emits the approval when the run is cancelled in mid-execution", async () => {
  const cancel = new AbortController();
  const { engine, observer } = approving({ tools: [toolOf("deploy", () => {}, never)] });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([{ verdict: "ask_allowed" }]);
  expect(observer.events[3]?.event).toMatchObject({ effective_args_digest: expect.any(String) });
  expect(observer.events.at(-1)?.event).toMatchObject({ outcome: "cancelled" });
});

it("emits a gate's record when the run is cancelled in mid-execution", async () => {
  const cancel = new AbortController();
  const { engine, observer } = engineFor({
    layers: [gate(PermissionCheck.allow)],
    tools: [toolOf("deploy", () => {}, never)],
  });
  const running = engine.dispatch(callOf({ signal: cancel.signal }));
  await turn();
  cancel.abort();
  await expect(running).rejects.toMatchObject({ code: "run_cancelled" });
  expect(observer.decisions).toMatchObject([{ verdict: "allow", rule_id: "g" }]);
});

it("emits the approval when the approved tool fails, or takes too long", async () => {
  const failing = approving({
    tools: [
      toolOf("deploy", () => {
        throw new Error("no space left");
      }),
    ],
  });
  expect(await failing.engine.dispatch(callOf())).toMatchObject({
    errorKind: "tool",
    gate: { verdict: "ask_allowed" },
  });
  expect(failing.observer.events.at(-1)?.event).toMatchObject({ outcome: "failed" });

  const slow = approving({
    tools: [toolOf("deploy", () => {}, never)],
    layers: [new TimeoutMiddleware(2_500)],
  });
  const running = slow.engine.dispatch(callOf());
  await turn();
  slow.clock.advance(2_500);
  expect(await running).toMatchObject({
    errorKind: "timeout",
    output: "Tool 'deploy' timed out after 3s",
    gate: { verdict: "ask_allowed" },
  });
  expect(slow.observer.events.at(-1)?.event).toMatchObject({ outcome: "failed" });
});

it("asks twice when the hook and the gate both ask, and records the gate's refusal", async () => {
  const prompts: string[] = [];
  const { engine, observer } = engineFor({
    hooks: [confirmTools(["deploy"])],
    layers: [gate(() => PermissionCheck.ask("really?"))],
    askResolver: {
      interactive: false,
      resolve: ({ prompt }) => {
        prompts.push(prompt);
        return prompts.length === 1 ? "Approve" : "Deny";
      },
    },
  });
  const result = await engine.dispatch(callOf());
  expect(prompts).toEqual(["Allow tool 'deploy' to execute?", "really?"]);
  expect(verdicts(result.trail)).toEqual(["ask_allowed", "ask_denied"]);
  expect(result.output).toBe("Permission denied by user for tool 'deploy'");
  expect(observer.names).toEqual([
    "tool_pre",
    "ask_parked",
    "ask_answered",
    "ask_parked",
    "ask_answered",
    "gate_decision",
    "tool_post",
  ]);
});
