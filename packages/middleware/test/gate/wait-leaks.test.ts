import { getEventListeners } from "node:events";
import { type AskResolver, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { PermissionMiddleware, TimeoutMiddleware } from "../../src/index.js";
import { gateRig, turn } from "../support/gate-rig.js";

const COUNT = 10_000;
let warnings: Error[] = [];
const keep = (warning: Error) => void warnings.push(warning);

beforeEach(() => {
  warnings = [];
  process.on("warning", keep);
});
afterEach(() => void process.off("warning", keep));

const asking = (resolver: AskResolver) =>
  PermissionMiddleware.fromContext()
    .withCheck(() => PermissionCheck.ask("run?"))
    .withAskResolver(resolver);

describe("[CASE-141] ten thousand waits on one signal", { timeout: 60_000 }, () => {
  it("leave no listener and no warning once they were answered", async () => {
    const { signal } = new AbortController();
    const { invoke, inputs, clock } = gateRig(
      asking({ interactive: false, resolve: () => "Approve" }).withAskTimeout(60_000),
    );
    for (let ask = 0; ask < COUNT; ask++) await invoke({ signal });
    await turn();
    expect(inputs).toHaveLength(COUNT);
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(clock.timerCount).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("that are open at once carry one listener, and none once they were cancelled", async () => {
    const cancel = new AbortController();
    const { invoke, clock } = gateRig(
      asking(scriptedResolver(Array.from({ length: COUNT }, () => "never" as const))).withAskTimeout(60_000),
    );
    const running = Array.from({ length: COUNT }, () => invoke({ signal: cancel.signal }));
    await turn();
    expect(clock.timerCount).toBe(COUNT);
    expect(getEventListeners(cancel.signal, "abort")).toHaveLength(1);
    cancel.abort();
    const verdicts = (await Promise.all(running)).map(({ gate }) => gate?.verdict);
    expect(new Set(verdicts)).toEqual(new Set(["cancelled"]));
    await turn();
    expect(getEventListeners(cancel.signal, "abort")).toEqual([]);
    expect(clock.timerCount).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("of asynchronous checks under a timeout leave nothing either", async () => {
    const { signal } = new AbortController();
    const gate = PermissionMiddleware.fromContext().withCheck(async () => PermissionCheck.allow());
    const { invoke, clock } = gateRig([new TimeoutMiddleware(1_000), gate]);
    for (let call = 0; call < COUNT; call++) await invoke({ signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(clock.timerCount).toBe(0);
    expect(warnings).toEqual([]);
  });
});
