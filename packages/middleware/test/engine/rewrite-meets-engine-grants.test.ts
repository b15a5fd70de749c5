import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor } from "../support/engine-harness.js";

it("refuses an approver's rewrite that the engine's store denies, where the gate has a store of its own", async () => {
  const rewrite = { target: "/etc" };
  const denial = createGrant("deploy", "Deny", { this_call: { args: rewrite } });
  const gate = PermissionMiddleware.fromContext()
    .withCheck(() => PermissionCheck.ask("sure?"))
    .withGrants(new MemoryGrantStore());
  const { engine, inputs } = engineFor({
    layers: [gate],
    grants: new MemoryGrantStore([denial]),
    askResolver: scriptedResolver([{ resolution: "Approve", modified_input: rewrite }]),
  });
  const { gate: record } = await engine.dispatch(callOf());
  expect(record).toMatchObject({ verdict: "deny", rule_id: denial.id, rule_source: "grant" });
  expect(inputs).toEqual([]);
});
