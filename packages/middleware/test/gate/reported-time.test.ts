import { PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";
import { toolBlocklist } from "../../src/index.js";
import { callOf, engineFor, type Setup } from "../support/engine-harness.js";
import { gateRig, gateSaying } from "../support/gate-rig.js";

const deny = gateSaying(PermissionCheck.deny("no"));

it("tells of a denial with the record and the time, and leaves the record itself as it was", async () => {
  const { invoke, reports, clock } = gateRig(deny);
  const { gate } = await invoke();
  expect(clock.now()).toBeGreaterThan(0);
  expect(gate).toMatchObject({ reason: "no", ts: 0 });
  expect(reports).toMatchObject([{ cause: { ...gate, ts: clock.now() } }]);
});

it.each<[string, Setup, unknown]>([
  ["a gate", { layers: [deny] }, {}],
  ["a hook", { hooks: [toolBlocklist(["deploy"])] }, {}],
  ["what JSON cannot hold", { layers: [deny] }, 1n],
])("tells the time that the record of the call has too, where %s denied", async (_, setup, input) => {
  const { engine, reports, gateEvent } = engineFor(setup);
  await engine.dispatch(callOf({ input } as Parameters<typeof callOf>[0]));
  expect(gateEvent().decision.ts).toBeGreaterThan(0);
  expect(reports).toMatchObject([{ level: "warn", cause: gateEvent().decision }]);
});

it("tells the time of the report, where the record is emitted later", async () => {
  const told: unknown[] = [];
  const { engine, clock, gateEvent } = engineFor({
    hooks: [toolBlocklist(["deploy"])],
    onReport({ cause }) {
      told.push(cause);
      clock.advance(7);
    },
  });
  const beganAtMs = clock.now();
  await engine.dispatch(callOf());
  expect(told).toMatchObject([{ verdict: "deny", ts: beganAtMs }]);
  expect(gateEvent().decision).toMatchObject({ verdict: "deny", ts: beganAtMs + 7 });
});
