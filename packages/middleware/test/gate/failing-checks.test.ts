import type { PermissionCheck, PermissionDecision } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CheckFunction, PermissionMiddleware } from "../../src/index.js";
import { gateRig, policyDecision, recordOf, stubPolicy, turn } from "../support/gate-rig.js";

const SECRET = "the database password is hunter2";
const denied = (ruleId: string) => recordOf("deny", ruleId, "engine", "policy error");

/** What makes a promise of an object. */
const THEN = "then";

function thrower(): never {
  throw new Error(SECRET);
}

const trap = (member: string) => ({
  get [member](): never {
    return thrower();
  },
});

const JUNK: readonly [string, unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["true", true],
  ['"allow"', "allow"],
  ["an unknown kind", { kind: "maybe" }],
  ["another product's decision", { decision: "maybe" }],
  ["a kind in the wrong case", { kind: "Allow" }],
  ["a denial without a reason", { kind: "deny" }],
  ["a question without words", { kind: "ask" }],
  ["a question whose details are no text", { kind: "ask", prompt: "p", details: 1 }],
  ["a rewrite without an input", { kind: "modify" }],
  ["a list", [{ kind: "allow" }]],
  ["a kind inherited from Object", { kind: "constructor" }],
  ["a getter that throws", trap("kind")],
];

describe("[CASE-128] a check that gives no decision denies as policy error", () => {
  const failing: readonly [string, CheckFunction][] = [
    ["throws", thrower],
    ["rejects", () => Promise.reject(new Error(SECRET))],
    ["gives what cannot even be asked whether it is a promise", () => trap(THEN) as never],
    ["gives a thenable that throws", () => ({ [THEN]: thrower }) as never],
    ...JUNK.map(([name, junk]): [string, CheckFunction] => [`gives ${name}`, () => junk as PermissionCheck]),
    ...JUNK.map(([name, junk]): [string, CheckFunction] => [
      `promises ${name}`,
      async () => junk as PermissionCheck,
    ]),
  ];

  it.each(failing)("when it %s", async (_, check) => {
    const { invoke, inputs, reports } = gateRig(
      PermissionMiddleware.fromContext().withNamedCheck("own", check),
    );
    const result = await invoke();
    expect(result.gate).toEqual(denied("own"));
    expect(result).toMatchObject({
      output: "Permission policy error for tool 't'",
      isError: true,
      errorKind: "permission",
      durationMs: 0,
    });
    expect(inputs).toEqual([]);
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(reports.filter(({ level }) => level === "warn")).toHaveLength(1);
  });

  it.each<[string, CheckFunction]>([
    ["throws", thrower],
    ["rejects", () => Promise.reject(new Error(SECRET))],
    ["gives what throws when read", () => trap("kind") as never],
    ["promises what throws when read", async () => trap("kind") as never],
  ])("and what it threw goes to the report when it %s", async (_, check) => {
    const { invoke, errors } = gateRig(PermissionMiddleware.fromContext().withCheck(check));
    await invoke();
    expect(errors()).toEqual([
      {
        level: "error",
        message: "A check or policy of tool 't' failed; the call is denied.",
        cause: new Error(SECRET),
      },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "{ effect, reason, rule, … }"],
    ["a check's decision", { kind: "allow" }, "an effect: 'allow', 'ask' or 'deny'"],
    ["no reason", { effect: "allow", rule: null }, "a reason"],
    ["no rule", { effect: "allow", reason: "" }, "the rule that decided, or null"],
  ])("and the report says what is wrong where a policy gives %s", async (_, decision, problem) => {
    const policy = stubPolicy(decision as never);
    const { invoke, errors } = gateRig(PermissionMiddleware.fromContext().withPolicy(policy));
    expect((await invoke()).gate).toMatchObject({ verdict: "deny", reason: "policy error" });
    expect(errors()).toHaveLength(1);
    expect(String(errors()[0]?.cause)).toContain(problem);
  });

  it("when it never answers, once its time is up and not before", async () => {
    const gate = PermissionMiddleware.fromContext().withNamedCheck("own", () => new Promise(() => {}));
    const { invoke, clock, errors, inputs } = gateRig(gate);
    const running = invoke();
    clock.advance(29_999);
    await turn();
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    expect((await running).gate).toEqual(denied("own"));
    expect(errors()).toHaveLength(1);
    expect(inputs).toEqual([]);
    expect(clock.timerCount).toBe(0);
  });

  it.each<[string, (gate: PermissionMiddleware) => PermissionMiddleware, number | undefined, number]>([
    ["the gate's own time", (gate) => gate.withCheckTimeout(50), undefined, 50],
    ["the pipeline's time", (gate) => gate, 70, 70],
    ["the gate's own time before the pipeline's", (gate) => gate.withCheckTimeout(50), 70, 50],
  ])("bounded by %s", async (_, configure, checkTimeoutMs, endsAtMs) => {
    const gate = configure(PermissionMiddleware.fromContext().withCheck(() => new Promise(() => {})));
    const { invoke, clock } = gateRig(gate, checkTimeoutMs === undefined ? {} : { checkTimeoutMs });
    const running = invoke();
    clock.advance(endsAtMs - 1);
    await turn();
    expect(clock.timerCount).toBe(1);
    clock.advance(1);
    expect((await running).gate).toEqual(denied("middleware"));
  });

  it.each([0, Number.POSITIVE_INFINITY])("and a check time of %s is no bound", async (timeoutMs) => {
    const gate = PermissionMiddleware.fromContext()
      .withCheck(() => new Promise(() => {}))
      .withCheckTimeout(timeoutMs);
    const cancel = new AbortController();
    const { invoke, clock } = gateRig(gate);
    const running = invoke({ signal: cancel.signal });
    expect(clock.timerCount).toBe(0);
    cancel.abort();
    await running;
  });

  it("for whatever a check gives that is no decision", async () => {
    const kinds = new Set<unknown>(["allow", "deny", "ask", "modify"]);
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.boolean(), async (junk, later) => {
        fc.pre(!kinds.has((junk as { kind?: unknown } | null | undefined)?.kind));
        const check = () => (later ? Promise.resolve(junk) : junk) as PermissionCheck;
        const { invoke, inputs } = gateRig(PermissionMiddleware.fromContext().withCheck(check));
        expect((await invoke()).gate).toEqual(denied("middleware"));
        expect(inputs).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("a policy that gives no decision denies as policy error", () => {
  const ask = policyDecision("ask");
  it.each<[string, () => unknown]>([
    ["throws", thrower],
    ["rejects", () => Promise.reject(new Error(SECRET))],
    ["gives undefined", () => undefined],
    ["gives null", () => null],
    ["gives a check", () => ({ kind: "allow" })],
    ["gives an unknown effect", () => ({ ...ask, effect: "maybe" })],
    ["gives no reason", () => ({ ...ask, effect: "allow", reason: undefined })],
    ["gives a rule that is a text", () => ({ ...ask, effect: "allow", rule: "Bash(*)" })],
    ["gives a rule that is none", () => ({ ...ask, effect: "allow", rule: {} })],
    [
      "gives a rule whose id is a number",
      () => ({ ...ask, rule: { scope: "user", tool: "", pattern: "", id: 1 } }),
    ],
    ["gives parts that are no list", () => ({ ...ask, parts: 1 })],
    ["gives parts that are none", () => ({ ...ask, parts: [null] })],
    ["gives what throws when read", () => trap("effect")],
  ])("when it %s, at once or later", async (_, evaluate) => {
    for (const later of [false, true]) {
      const policy = stubPolicy(
        () => (later ? Promise.resolve().then(evaluate) : evaluate()) as PermissionDecision,
      );
      const { invoke, inputs } = gateRig(PermissionMiddleware.fromContext().withPolicy(policy));
      const result = await invoke();
      expect(result.gate).toEqual(denied("middleware"));
      expect(result.output).toBe("Permission policy error for tool 't'");
      expect(inputs).toEqual([]);
    }
  });

  it("when its mode cannot be told", async () => {
    const policy = stubPolicy(policyDecision("allow"));
    const gate = PermissionMiddleware.fromContext().withPolicy(policy, { mode: thrower });
    expect((await gateRig(gate).invoke()).gate).toEqual(denied("middleware"));
  });

  it("when it takes longer than the gate's time", async () => {
    const policy = stubPolicy(() => new Promise(() => {}));
    const gate = PermissionMiddleware.fromContext().withPolicy(policy).withCheckTimeout(10);
    const { invoke, clock } = gateRig(gate);
    const running = invoke();
    clock.advance(10);
    expect((await running).gate).toEqual(denied("middleware"));
  });
});

it("leaves no rejection unhandled where one source denies before another has failed", async () => {
  const unhandled: unknown[] = [];
  const keep = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", keep);
  try {
    const policy = stubPolicy(async () => trap("effect") as never);
    const gate = PermissionMiddleware.fromContext()
      .withPolicy(policy)
      .withCheck(() => ({ kind: "deny", reason: "no" }));
    expect((await gateRig(gate).invoke()).gate?.reason).toBe("no");
    await turn();
    await turn();
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", keep);
  }
});
