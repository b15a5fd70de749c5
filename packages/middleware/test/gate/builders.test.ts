import {
  type AskFunction,
  isPermissionGateError,
  MemoryGrantStore,
  PermissionCheck,
} from "@x/permission-core";
import { scriptedResolver } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolMiddleware, ToolPipeline } from "../../src/index.js";
import { gateRig, policyDecision, recordOf, stubPolicy } from "../support/gate-rig.js";

const BUILDERS: readonly [string, (gate: PermissionMiddleware) => PermissionMiddleware][] = [
  ["withCheck", (gate) => gate.withCheck(() => PermissionCheck.allow())],
  ["withNamedCheck", (gate) => gate.withNamedCheck("own", () => PermissionCheck.allow())],
  ["withToolCheck", (gate) => gate.withToolCheck("t", PermissionCheck.allow())],
  ["withPolicy", (gate) => gate.withPolicy(stubPolicy(policyDecision("allow")))],
  ["withAskResolver", (gate) => gate.withAskResolver(scriptedResolver([]))],
  ["withAskTimeout", (gate) => gate.withAskTimeout(1)],
  ["withCheckTimeout", (gate) => gate.withCheckTimeout(1)],
  ["withGrants", (gate) => gate.withGrants(new MemoryGrantStore())],
  ["revalidatingModify", (gate) => gate.revalidatingModify()],
];

describe.each(BUILDERS)("%s", (_, build) => {
  it("changes and returns the same gate", () => {
    const gate = PermissionMiddleware.fromContext();
    expect(build(gate)).toBe(gate);
  });

  it("throws code frozen once the gate is built into a pipeline, and changes nothing", async () => {
    const gate = PermissionMiddleware.denyAll();
    const { invoke } = gateRig(gate);
    expect(() => build(gate)).toThrow(expect.objectContaining({ code: "frozen" }));
    expect((await invoke()).gate).toEqual(recordOf("deny", "middleware", "middleware", "blocked by policy"));
  });

  it("throws frozen in any pipeline that holds the gate, not only as the outermost layer", () => {
    const inner = PermissionMiddleware.allowAll();
    gateRig([PermissionMiddleware.allowAll(), inner]);
    expect(() => build(inner)).toThrow(expect.objectContaining({ code: "frozen" }));
  });
});

describe("freezing", () => {
  it("does not happen where build() fails, so that the gate can still be mended", () => {
    const gate = PermissionMiddleware.denyAll();
    const builder = ToolPipeline.builder().withMiddleware(gate);
    expect(() => builder.build()).toThrow(expect.objectContaining({ code: "no_core" }));
    expect(gate.withCheck(() => PermissionCheck.allow())).toBe(gate);
  });

  it("lets one gate be built into several pipelines", async () => {
    const gate = PermissionMiddleware.allowAll();
    for (const { invoke } of [gateRig(gate), gateRig(gate)]) expect((await invoke()).output).toBe("ran");
  });

  it("concerns gates only: a layer of the host's own that has a freeze() is left alone", () => {
    let frozen = 0;
    const layer: ToolMiddleware & { freeze(): void } = {
      name: "refrigerator",
      dispatch: (_, next) => next(),
      freeze: () => void frozen++,
    };
    gateRig([layer, PermissionMiddleware.allowAll()]);
    expect(frozen).toBe(0);
  });

  it("keeps the tools named to be remembered as they were, whatever the host does with its list", async () => {
    const names = ["t"];
    const resolver = scriptedResolver(["Approve"]);
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => PermissionCheck.ask("run?"))
      .withGrants(new MemoryGrantStore(), { rememberTools: names })
      .withAskResolver(resolver);
    names.length = 0;
    await gateRig(gate).invoke();
    expect(resolver.asks[0]?.rememberable).toEqual(["this_call", "this_tool"]);
  });
});

describe("the same kind again replaces", () => {
  const answering =
    (answer: boolean): AskFunction =>
    () =>
      answer;
  const ask = () => PermissionCheck.ask("run?");

  it.each<[string, (gate: PermissionMiddleware) => PermissionMiddleware, string]>([
    [
      "a check",
      (gate) => gate.withCheck(() => PermissionCheck.deny("first")).withCheck(() => PermissionCheck.allow()),
      "allow",
    ],
    [
      "a policy",
      (gate) =>
        gate.withPolicy(stubPolicy(policyDecision("deny"))).withPolicy(stubPolicy(policyDecision("allow"))),
      "allow",
    ],
    [
      "a resolver",
      (gate) => gate.withCheck(ask).withAskResolver(answering(false)).withAskResolver(answering(true)),
      "ask_allowed",
    ],
  ])("%s", async (_, build, verdict) => {
    expect((await gateRig(build(PermissionMiddleware.fromContext())).invoke()).gate?.verdict).toBe(verdict);
  });
});

it("a gate refuses a context that no pipeline made, and says what to call instead", () => {
  const gate = PermissionMiddleware.allowAll();
  expect(() => gate.dispatch({} as never, () => Promise.reject(new Error("must not run")))).toThrow(
    /pipeline\.invoke/,
  );
});

it("errors of builders are the product's own, with a message that says what to do", () => {
  const gate = PermissionMiddleware.denyAll();
  gateRig(gate);
  try {
    gate.withAskTimeout(1);
    expect.unreachable();
  } catch (error) {
    expect(isPermissionGateError(error, "frozen")).toBe(true);
    expect((error as Error).message).toContain("before build()");
  }
});
