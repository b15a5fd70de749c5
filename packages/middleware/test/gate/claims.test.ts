import { type GateVerdict, PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware, type ToolMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, recordOf } from "../support/gate-rig.js";

type Kind = PermissionCheck["kind"];
const CLAIMS: Record<Kind, PermissionCheck> = {
  allow: PermissionCheck.allow(),
  modify: PermissionCheck.modify({ path: "/safe" }),
  ask: PermissionCheck.ask("claimed?"),
  deny: PermissionCheck.deny("claimed"),
};
const VERDICTS: Record<Kind, GateVerdict> = {
  allow: "allow",
  modify: "allow_modified",
  ask: "ask_unresolved",
  deny: "deny",
};
const KINDS: readonly Kind[] = ["allow", "modify", "ask", "deny"];

/** A layer that makes claims about every call before it goes on. */
function tightening(...claims: PermissionCheck[]): ToolMiddleware {
  return {
    name: "tightening",
    dispatch(context, next) {
      for (const claim of claims) context.tighten(claim);
      return next();
    },
    evaluate(context, next) {
      for (const claim of claims) context.tighten(claim);
      return next();
    },
  };
}

describe("a gate without a check honours the claim of a call", () => {
  it("which starts as allow", async () => {
    expect((await gateRig(PermissionMiddleware.fromContext()).invoke()).gate).toEqual(
      recordOf("allow", "context", "context"),
    );
  });

  it.each(KINDS)("when the caller claims %s", async (kind) => {
    const { invoke, inputs } = gateRig(PermissionMiddleware.fromContext());
    const result = await invoke({ permission: CLAIMS[kind] });
    expect(result.gate).toMatchObject({
      verdict: VERDICTS[kind],
      rule_id: "context",
      rule_source: "context",
    });
    expect(inputs).toEqual({ allow: [INPUT], modify: [{ path: "/safe" }], ask: [], deny: [] }[kind]);
  });

  it.each(KINDS.flatMap((claim) => KINDS.map((later) => [claim, later] as const)))(
    "when the caller claims %s and a layer outside claims %s: the stricter",
    async (claim, later) => {
      const strictest = KINDS[Math.max(KINDS.indexOf(claim), KINDS.indexOf(later))] ?? "deny";
      const { invoke, evaluate } = gateRig([tightening(CLAIMS[later]), PermissionMiddleware.fromContext()]);
      expect((await invoke({ permission: CLAIMS[claim] })).gate?.verdict).toBe(VERDICTS[strictest]);
      const dry = await evaluate({ permission: CLAIMS[claim] });
      expect(dry?.verdict).toBe(strictest === "ask" ? "ask" : VERDICTS[strictest]);
    },
  );

  it("when a claim is made of the same strictness, the first stays", async () => {
    const gates = [tightening(PermissionCheck.deny("second")), PermissionMiddleware.fromContext()];
    const result = await gateRig(gates).invoke({ permission: PermissionCheck.deny("first") });
    expect(result.gate?.reason).toBe("first");
  });

  it("when a layer between two gates tightens it, from there on inwards", async () => {
    const result = await gateRig([
      PermissionMiddleware.fromContext(),
      tightening(CLAIMS.deny),
      PermissionMiddleware.fromContext(),
    ]).invoke();
    expect(result.trail.map(({ verdict }) => verdict)).toEqual(["allow", "deny"]);
  });

  it("for one call only: the next one starts anew", async () => {
    let calls = 0;
    const once: ToolMiddleware = {
      name: "once",
      dispatch(context, next) {
        if (calls++ === 0) context.tighten(CLAIMS.deny);
        return next();
      },
    };
    const { invoke } = gateRig([once, PermissionMiddleware.fromContext()]);
    expect((await invoke()).gate?.verdict).toBe("deny");
    expect((await invoke()).gate?.verdict).toBe("allow");
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["an unknown kind", { kind: "Deny" }],
    ["a kind inherited from Object", { kind: "toString" }],
    ["a denial without a reason", { kind: "deny" }],
  ])("and fails closed on a claim that is none: %s", async (_, junk) => {
    const claim = junk as PermissionCheck;
    const denied = recordOf("deny", "context", "engine", "policy error");
    const tightened = await gateRig([tightening(claim), PermissionMiddleware.fromContext()]).invoke();
    expect(tightened.gate).toEqual(denied);
    const then = await gateRig([
      tightening(claim, CLAIMS.allow, CLAIMS.ask),
      PermissionMiddleware.fromContext(),
    ]).invoke();
    expect(then.gate).toEqual(denied);
    if (claim !== null) {
      const claimed = await gateRig(PermissionMiddleware.fromContext()).invoke({ permission: claim });
      expect(claimed.gate).toEqual(denied);
    }
  });

  it("and a layer that writes into a claim does not reach the claims of other calls", async () => {
    const writing: ToolMiddleware = {
      name: "writing",
      dispatch(context, next) {
        Object.assign(context.permission, { kind: "deny", reason: "poisoned" });
        return next();
      },
    };
    await gateRig([writing, PermissionMiddleware.fromContext()]).invoke();
    expect((await gateRig(PermissionMiddleware.fromContext()).invoke()).gate?.verdict).toBe("allow");
  });
});

describe("a check is stronger than the claim", () => {
  it.each(KINDS)("when the caller claims %s and the check allows", async (kind) => {
    const { invoke, inputs } = gateRig(gateSaying(PermissionCheck.allow()));
    expect((await invoke({ permission: CLAIMS[kind] })).gate).toEqual(
      recordOf("allow", "middleware", "middleware"),
    );
    expect(inputs).toEqual([INPUT]);
  });

  it("of one tool only for that tool", async () => {
    const gate = () => PermissionMiddleware.fromContext().withToolCheck("t", PermissionCheck.allow());
    expect((await gateRig(gate()).invoke({ permission: CLAIMS.deny })).gate?.verdict).toBe("allow");
    const other = gateRig(gate(), { tool: { name: "other" } });
    expect((await other.invoke({ permission: CLAIMS.deny })).gate?.verdict).toBe("deny");
  });

  it("and sees the claim in its context", async () => {
    const seen: unknown[] = [];
    const gate = PermissionMiddleware.fromContext().withCheck(({ permission }) => {
      seen.push(permission);
      return PermissionCheck.allow();
    });
    await gateRig(gate).invoke({ permission: CLAIMS.ask });
    expect(seen).toEqual([CLAIMS.ask]);
  });

  it.each(["denyAll", "allowAll"] as const)("and so is %s", async (preset) => {
    const { invoke } = gateRig(PermissionMiddleware[preset]());
    const claim = preset === "denyAll" ? CLAIMS.allow : CLAIMS.deny;
    expect((await invoke({ permission: claim })).gate?.verdict).toBe(preset === "denyAll" ? "deny" : "allow");
  });
});
