import { PermissionCheck } from "@x/permission-core";
import { type ScriptedAnswer, scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { confirmTools, PermissionMiddleware } from "../../src/index.js";
import {
  callOf,
  deferred,
  endingOf,
  engineFor,
  never,
  type Setup,
  toolOf,
  turn,
} from "../support/engine-harness.js";

function asking(answers: ScriptedAnswer[], more: Setup = {}) {
  const resolver = scriptedResolver(answers);
  return { resolver, ...engineFor({ hooks: [confirmTools(["deploy"])], askResolver: resolver, ...more }) };
}

const boom = () => {
  throw new Error("boom");
};

it.each<[string, ScriptedAnswer, Setup]>([
  ["completed", "Approve", {}],
  ["failed", "Approve", { tools: [toolOf("deploy", boom)] }],
  ["failed", "Approve", { guards: [{ name: "g", before: () => ({ action: "refuse", reason: "no" }) }] }],
  ["stopped", "Approve", { guards: [{ name: "g", before: () => ({ action: "stop", reason: "no" }) }] }],
  ["denied", "Deny", {}],
  ["denied", boom, {}],
])("tells the resolver once that the call %s", async (outcome, answer, more) => {
  const { engine, resolver, outcomes } = asking([answer], more);
  await endingOf(engine.dispatch(callOf()));
  await engine.close();
  expect(resolver.outcomes).toEqual([{ ask: resolver.asks[0], outcome }]);
  expect(outcomes()).toEqual([outcome]);
});

it("tells that it was denied when the question expired", async () => {
  const { engine, resolver, clock } = asking(["never"], { askTimeoutMs: 10 });
  const running = engine.dispatch(callOf());
  await turn();
  clock.advance(10);
  await running;
  await engine.close();
  expect(resolver.outcomes).toMatchObject([{ outcome: "denied" }]);
});

it("tells that it was cancelled, while the question waited and while the tool ran", async () => {
  for (const answer of ["never", "Approve"] as const) {
    const cancel = new AbortController();
    const { engine, resolver } = asking([answer], { tools: [toolOf("deploy", () => {}, never)] });
    const ending = endingOf(engine.dispatch(callOf({ signal: cancel.signal })));
    await turn();
    cancel.abort();
    await ending;
    await engine.close();
    expect(resolver.outcomes).toMatchObject([{ outcome: "cancelled" }]);
  }
});

it("tells every resolver that was asked, each of its own ask", async () => {
  const own = scriptedResolver(["Approve"]);
  const gate = PermissionMiddleware.fromContext()
    .withCheck(() => PermissionCheck.ask("really?"))
    .withAskResolver(own);
  const { engine, resolver } = asking(["Approve"], { layers: [gate] });
  await engine.dispatch(callOf());
  await engine.close();
  expect(resolver.outcomes.map(({ ask }) => ask.id)).toEqual(resolver.asks.map(({ id }) => id));
  expect(own.outcomes).toMatchObject([{ ask: { prompt: "really?" }, outcome: "completed" }]);
});

it("names the stored ask where the answer was to one", async () => {
  const { engine, resolver } = asking([{ resolution: "Approve", ask_id: "stored-before" }]);
  await engine.dispatch(callOf());
  await engine.close();
  expect(resolver.outcomes).toMatchObject([{ ask: { id: "stored-before", call_id: "c1" } }]);
});

it("tells nothing where nobody was asked", async () => {
  const { engine, resolver } = asking([], { hooks: [] });
  await engine.dispatch(callOf());
  await engine.close();
  expect(resolver.outcomes).toEqual([]);
});

it("is not waited for by the dispatch, and its failure is reported", async () => {
  const slow = deferred<void>();
  const { engine, errors } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => "Approve", settled: () => slow.promise },
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  slow.reject(new Error("gone"));
  await engine.close();
  expect(errors()).toEqual(["An ask resolver failed when it was told how a call ended."]);
});

it("may be a method that throws at once", async () => {
  const { engine, errors } = engineFor({
    hooks: [confirmTools(["deploy"])],
    askResolver: { interactive: false, resolve: () => "Approve", settled: boom },
  });
  expect((await engine.dispatch(callOf())).output).toBe("deployed");
  await engine.close();
  expect(errors()).toHaveLength(1);
});

it("is told to every resolver, and waited for by close, though another fails; all failures are reported", async () => {
  const told: string[] = [];
  const gate = (ask: string, settled: () => void | Promise<void>) =>
    PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask(ask))
      .withAskResolver({ interactive: false, resolve: () => "Approve", settled });
  const slow = async () => {
    await turn();
    told.push("slow");
  };
  const { engine, reports } = engineFor({ layers: [gate("1?", boom), gate("2?", slow), gate("3?", boom)] });
  await engine.dispatch(callOf());
  await engine.close();
  expect(told).toEqual(["slow"]);
  const [report] = reports.filter(({ level }) => level === "error");
  expect(report?.cause).toMatchObject({ errors: [new Error("boom"), new Error("boom")] });
});
