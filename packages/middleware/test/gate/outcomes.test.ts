import { PermissionCheck } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { PermissionMiddleware } from "../../src/index.js";
import { gateRig, gateSaying, INPUT, recordOf } from "../support/gate-rig.js";

const named = (ruleId: string, check: PermissionCheck) =>
  PermissionMiddleware.fromContext().withNamedCheck(ruleId, () => check);

describe("a gate whose check allows", () => {
  it("runs the tool and records its own id", async () => {
    const { invoke, inputs, reports } = gateRig(named("house-rule", PermissionCheck.allow()));
    const result = await invoke();
    expect(result).toMatchObject({ output: "ran", isError: false, errorKind: null, cached: false });
    expect(result.gate).toEqual(recordOf("allow", "house-rule", "middleware"));
    expect(result.trail).toEqual([result.gate]);
    expect(inputs).toEqual([INPUT]);
    expect(reports).toEqual([]);
  });

  it.each<[string, PermissionMiddleware, string, "middleware" | "context"]>([
    ["`middleware` for an unnamed check", gateSaying(PermissionCheck.allow()), "middleware", "middleware"],
    ["an empty id as it is", named("", PermissionCheck.allow()), "", "middleware"],
    ["`middleware` for allowAll", PermissionMiddleware.allowAll(), "middleware", "middleware"],
    ["`context` for the claim", PermissionMiddleware.fromContext(), "context", "context"],
    [
      "`middleware` again after an unnamed check replaced a named one",
      named("earlier", PermissionCheck.deny("no")).withCheck(() => PermissionCheck.allow()),
      "middleware",
      "middleware",
    ],
    [
      "the name of a named check that replaced an unnamed one",
      gateSaying(PermissionCheck.deny("no")).withNamedCheck("later", () => PermissionCheck.allow()),
      "later",
      "middleware",
    ],
  ])("records %s", async (_, gate, ruleId, source) => {
    const { gate: record } = await gateRig(gate).invoke();
    expect(record).toEqual(recordOf("allow", ruleId, source));
  });
});

describe("a gate whose check modifies", () => {
  it("runs the tool with the replacement and keeps the digest of the model's call", async () => {
    const { invoke, inputs } = gateRig(named("rewriter", PermissionCheck.modify({ path: "/safe" })));
    const result = await invoke();
    expect(result.output).toBe("ran");
    expect(result.gate).toEqual(recordOf("allow_modified", "rewriter", "middleware"));
    expect(inputs).toEqual([{ path: "/safe" }]);
  });

  it.each([null, false, 0, "", [], {}])("takes %j for a replacement, not for none", async (replacement) => {
    const { invoke, inputs } = gateRig(gateSaying(PermissionCheck.modify(replacement)));
    expect((await invoke()).gate?.verdict).toBe("allow_modified");
    expect(inputs).toEqual([replacement]);
  });

  it("hands the replacement to the next gate, and both records carry the model's digest", async () => {
    const seen: unknown[] = [];
    const inner = PermissionMiddleware.fromContext().withCheck(({ input, argsDigest }) => {
      seen.push(input, argsDigest);
      return PermissionCheck.allow();
    });
    const result = await gateRig([gateSaying(PermissionCheck.modify({ path: "/safe" })), inner]).invoke();
    expect(seen).toEqual([{ path: "/safe" }, recordOf("allow", "", "middleware").args_digest]);
    expect(result.trail).toEqual([
      recordOf("allow_modified", "middleware", "middleware"),
      recordOf("allow", "middleware", "middleware"),
    ]);
    expect(result.gate?.verdict).toBe("allow_modified");
  });

  it("does not run a replacement that its maker changes afterwards", async () => {
    const replacement = { path: "/safe" };
    const changer = PermissionMiddleware.fromContext().withCheck(() => {
      replacement.path = "/etc";
      return PermissionCheck.allow();
    });
    const { invoke, inputs } = gateRig([gateSaying(PermissionCheck.modify(replacement)), changer]);
    await invoke();
    expect(inputs).toEqual([{ path: "/safe" }]);
  });

  it.each<[string, unknown, string]>([
    ["NaN", Number.NaN, "$"],
    ["a date inside", { when: new Date(0) }, "$.when"],
    ["a function inside", { list: [() => 1] }, "$.list[0]"],
  ])("denies a replacement that JSON cannot hold: %s", async (_, replacement, path) => {
    const { invoke, inputs } = gateRig(named("rewriter", PermissionCheck.modify(replacement as never)));
    const result = await invoke();
    expect(result.gate).toEqual(recordOf("deny", "rewriter", "engine", `policy error: not_json at ${path}`));
    expect(result.output).toBe(`Permission policy error: not_json at ${path} for tool 't'`);
    expect(inputs).toEqual([]);
  });
});

describe("a gate whose check denies", () => {
  it("gives a soft error in no time, runs nothing inside, and logs once at warn", async () => {
    let innerCalls = 0;
    const inner = PermissionMiddleware.fromContext().withCheck(() => {
      innerCalls++;
      return PermissionCheck.allow();
    });
    const { invoke, inputs, reports } = gateRig([named("no-etc", PermissionCheck.deny("off limits")), inner]);
    const result = await invoke();
    expect(result).toEqual({
      callId: "c1",
      output: "Permission off limits for tool 't'",
      isError: true,
      errorKind: "permission",
      durationMs: 0,
      cached: false,
      gate: recordOf("deny", "no-etc", "middleware", "off limits"),
      trail: [recordOf("deny", "no-etc", "middleware", "off limits")],
    });
    expect({ inputs, innerCalls }).toEqual({ inputs: [], innerCalls: 0 });
    expect(reports.map(({ level, message }) => ({ level, message }))).toEqual([
      { level: "warn", message: "tool call blocked by permission middleware" },
    ]);
  });

  it("says `blocked by policy` for denyAll", async () => {
    const result = await gateRig(PermissionMiddleware.denyAll()).invoke();
    expect(result.gate).toEqual(recordOf("deny", "middleware", "middleware", "blocked by policy"));
    expect(result.output).toBe("Permission blocked by policy for tool 't'");
  });

  it("records an outer allow before the inner denial that decides", async () => {
    const outer = named("outer", PermissionCheck.allow());
    const result = await gateRig([outer, named("inner", PermissionCheck.deny("no"))]).invoke();
    expect(result.gate).toEqual(recordOf("deny", "inner", "middleware", "no"));
    expect(result.trail.map((record) => record.rule_id)).toEqual(["outer", "inner"]);
  });
});

describe("presets beside checks of single tools", () => {
  const own = PermissionCheck.allow();

  it("lets a tool's own check answer where everything else is denied", async () => {
    const gate = PermissionMiddleware.denyAll().withToolCheck("t", own);
    expect((await gateRig(gate).invoke()).gate).toEqual(recordOf("allow", "middleware", "middleware"));
  });

  it("falls back on the preset for a tool without a check", async () => {
    const gate = PermissionMiddleware.denyAll().withToolCheck("other", own);
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("deny");
  });

  it("hands the tool's parsed input and the context to a tool's check", async () => {
    const seen: unknown[] = [];
    const gate = PermissionMiddleware.denyAll().withToolCheck<{ n: number }>("t", ({ n }, context) => {
      seen.push(n, context.toolName, context.tool?.readOnly);
      return PermissionCheck.allow();
    });
    const parse = (input: unknown) => ({ value: { n: Number((input as { n: string }).n) } });
    await gateRig(gate, { tool: { parse } }).invoke({ input: { n: "7" } });
    expect(seen).toEqual([7, "t", false]);
  });

  it("takes the stricter of the check of all tools and the tool's own, whichever it is", async () => {
    const strictOwn = gateSaying(PermissionCheck.allow()).withToolCheck("t", PermissionCheck.deny("own"));
    const strictAll = gateSaying(PermissionCheck.deny("all")).withToolCheck("t", PermissionCheck.allow());
    expect((await gateRig(strictOwn).invoke()).gate?.reason).toBe("own");
    expect((await gateRig(strictAll).invoke()).gate?.reason).toBe("all");
  });

  it("replaces a tool's check by a later one of the same tool", async () => {
    const gate = PermissionMiddleware.denyAll()
      .withToolCheck("t", PermissionCheck.deny("old"))
      .withToolCheck("t", PermissionCheck.allow());
    expect((await gateRig(gate).invoke()).gate?.verdict).toBe("allow");
  });

  it("finds checks by own name only, so that a tool called constructor has none by accident", async () => {
    const gate = PermissionMiddleware.denyAll();
    const { invoke } = gateRig(gate, { tool: { name: "constructor" } });
    expect((await invoke()).gate).toMatchObject({ verdict: "deny", tool: "constructor" });
  });

  it("fails closed where a tool's check was set to nothing", async () => {
    const gate = PermissionMiddleware.fromContext().withToolCheck("t", undefined as never);
    expect((await gateRig(gate).invoke()).gate).toEqual(
      recordOf("deny", "middleware", "engine", "policy error"),
    );
  });
});
