import { createGrant, MemoryGrantStore, PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { callOf, engineFor, turn } from "../support/engine-harness.js";
import { deferred } from "../support/gate-rig.js";

/** A decision that reads differently at the second look. */
function fickle(first: PermissionCheck["kind"], then: string): PermissionCheck {
  let looks = 0;
  return {
    get kind() {
      return looks++ === 0 ? first : then;
    },
  } as PermissionCheck;
}

describe("a claim counts as it was when the call was made", () => {
  it.each([
    ["deny", { kind: "deny", reason: "no" }, "deny"],
    ["ask", { kind: "ask", prompt: "sure?" }, "ask_unresolved"],
  ] as const)(
    "also where the caller turns its %s into an allow while a hook decides",
    async (_, claim, verdict) => {
      const wait = deferred<undefined>();
      const permission = { ...claim } as PermissionCheck;
      const { engine, inputs } = engineFor({
        hooks: [{ preToolUse: () => wait.promise }],
        layers: [PermissionMiddleware.fromContext()],
      });
      const running = engine.dispatch(callOf({ permission }));
      await turn();
      permission.kind = "allow";
      wait.resolve(undefined);
      expect((await running).gate).toMatchObject({ verdict });
      expect(inputs).toEqual([]);
    },
  );

  it("with the input that it would put in the place of the model's", async () => {
    const wait = deferred<undefined>();
    const modifiedInput = { target: "/tmp" };
    const { engine, inputs } = engineFor({
      hooks: [{ preToolUse: () => wait.promise }],
      layers: [PermissionMiddleware.fromContext()],
    });
    const running = engine.dispatch(callOf({ permission: PermissionCheck.modify(modifiedInput) }));
    await turn();
    modifiedInput.target = "/etc";
    wait.resolve(undefined);
    await running;
    expect(inputs).toEqual([{ target: "/tmp" }]);
  });
});

it("the decision of a check is read once", async () => {
  const gate = PermissionMiddleware.fromContext().withCheck(() => fickle("allow", "zzz"));
  const { engine, gateEvent } = engineFor({ layers: [gate] });
  await engine.dispatch(callOf());
  expect(gateEvent().decision).toMatchObject({ verdict: "allow" });
});

it("a denial that is saved while an outer gate's check waits refuses at the inner gate", async () => {
  const store = new MemoryGrantStore();
  const outer = PermissionMiddleware.fromContext().withCheck(async () => {
    await store.save(createGrant("deploy", "Deny", "this_tool"));
    return PermissionCheck.allow();
  });
  const { engine, inputs, gateEvent } = engineFor({
    grants: store,
    layers: [outer, PermissionMiddleware.allowAll()],
  });
  await engine.dispatch(callOf());
  expect(gateEvent().decision).toMatchObject({ verdict: "deny", rule_source: "grant" });
  expect(inputs).toEqual([]);
});

it("an ask that is called off by whoever is told of it makes no prompt, and leaves its record", async () => {
  const cancel = new AbortController();
  let prompts = 0;
  const { engine, observer } = engineFor({
    layers: [PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("sure?"))],
    askResolver: {
      interactive: false,
      resolve() {
        prompts++;
        return "Approve";
      },
    },
    observers: [{ onAskParked: () => cancel.abort() }],
  });
  await expect(engine.dispatch(callOf({ signal: cancel.signal }))).rejects.toMatchObject({
    code: "run_cancelled",
  });
  expect(prompts).toBe(0);
  expect(observer.names).toEqual(["tool_pre", "ask_parked", "ask_answered", "gate_decision", "tool_post"]);
});
