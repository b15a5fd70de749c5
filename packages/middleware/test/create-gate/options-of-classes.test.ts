import { PermissionCheck, type PermissionPolicy, type PolicyRequest } from "@x/permission-core";
import { expect, it } from "vitest";
import {
  createGate,
  HookAction,
  PermissionMiddleware,
  type PreToolUseHook,
  type Tool,
} from "../../src/index.js";
import { callOf, toolOf } from "../support/engine-harness.js";
import { policyDecision } from "../support/gate-rig.js";

/** A policy that allows everything, and keeps what it was asked. */
function allowing() {
  const requests: PolicyRequest[] = [];
  const policy: PermissionPolicy = {
    evaluate(request) {
      requests.push(request);
      return policyDecision("allow");
    },
    learn: () => null,
    learnable: () => null,
  };
  return { policy, requests };
}

it("has a gate hold to options that are accessors of a class", async () => {
  const { policy, requests } = allowing();
  const blocking: PreToolUseHook = { name: "freeze", preToolUse: () => HookAction.block("not today") };
  class Settings {
    readonly #hooks = [blocking];
    readonly isFrozen: boolean;
    constructor(isFrozen: boolean) {
      this.isFrozen = isFrozen;
    }
    get tools() {
      return [toolOf("deploy")] as const;
    }
    get policy() {
      return policy;
    }
    get mode() {
      return "plan" as const;
    }
    get hooks() {
      return this.isFrozen ? this.#hooks : [];
    }
    get sessionId() {
      return "ours";
    }
    onReport() {}
  }
  const gate = createGate(new Settings(false));
  expect((await gate.dispatch(callOf())).gate).toMatchObject({ verdict: "allow" });
  expect(requests).toMatchObject([{ mode: "plan" }]);
  expect(gate.sessionId).toBe("ours");
  const frozen = createGate(new Settings(true));
  expect((await frozen.dispatch(callOf())).gate).toMatchObject({ verdict: "deny" });
});

it("denies a tool whose check is inherited, as a method of a class is, rather than to leave it to the policy", async () => {
  const { policy } = allowing();
  class Checks {
    deploy() {
      return PermissionCheck.allow();
    }
  }
  const tools: Tool[] = [toolOf("deploy"), toolOf("toString"), toolOf("__proto__")];
  const gate = createGate({ tools, checks: new Checks() as object, policy, onReport: () => {} });
  const gateOf = async (toolName: string) => (await gate.dispatch(callOf({ toolName }))).gate;
  expect(await gateOf("deploy")).toMatchObject({
    verdict: "deny",
    reason: expect.stringContaining("it must be a property of `checks` itself"),
  });
  expect(await gateOf("toString")).toMatchObject({ verdict: "allow" });
  expect(await gateOf("__proto__")).toMatchObject({ verdict: "allow" });
});

it("has a gate's policy hold to a mode that is an accessor of a class", async () => {
  const { policy, requests } = allowing();
  class Settings {
    get mode() {
      return "plan" as const;
    }
    get audience() {
      return "subagent" as const;
    }
  }
  await PermissionMiddleware.fromContext().withPolicy(policy, new Settings()).evaluate("deploy", {});
  expect(requests).toMatchObject([{ mode: "plan", audience: "subagent" }]);
});
