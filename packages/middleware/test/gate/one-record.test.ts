import {
  type AskAnswer,
  type AskResolution,
  decisiveRecord,
  type GateDecision,
  PermissionCheck,
  precedenceTier,
} from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MemoizeMiddleware,
  PermissionMiddleware,
  TimeoutMiddleware,
  type ToolMiddleware,
} from "../../src/index.js";
import {
  gateRig,
  gateSaying,
  INPUT_DIGEST,
  policyDecision,
  recordOf,
  stubPolicy,
  turn,
} from "../support/gate-rig.js";

type Answer = AskResolution | AskAnswer | "never" | "throws";
interface GateSpec {
  check: PermissionCheck["kind"];
  later: boolean;
  answer: Answer | "nobody";
  askTimeoutMs: number;
}
type LayerSpec = { gate: GateSpec } | { timeoutMs: number } | "memoize";

const gateSpec: fc.Arbitrary<GateSpec> = fc.record({
  check: fc.constantFrom("allow", "allow", "ask", "ask", "modify", "deny"),
  later: fc.boolean(),
  answer: fc.constantFrom<Answer | "nobody">(
    "Approve",
    "Approve",
    "Deny",
    { resolution: "Approve", modified_input: { path: "/b" } },
    "never",
    "throws",
    "nobody",
  ),
  askTimeoutMs: fc.constantFrom(0, 10, 50),
});
const layerSpec: fc.Arbitrary<LayerSpec> = fc.oneof(
  { weight: 4, arbitrary: gateSpec.map((gate) => ({ gate })) },
  { weight: 1, arbitrary: fc.constantFrom(10, 30).map((timeoutMs) => ({ timeoutMs })) },
  { weight: 1, arbitrary: fc.constant("memoize" as const) },
);

const CHECKS: Record<PermissionCheck["kind"], PermissionCheck> = {
  allow: PermissionCheck.allow(),
  ask: PermissionCheck.ask("run?"),
  modify: PermissionCheck.modify({ path: "/safe" }),
  deny: PermissionCheck.deny("no"),
};

function layerOf(spec: LayerSpec): ToolMiddleware {
  if (spec === "memoize") return new MemoizeMiddleware({ unsafeOutsideGate: true });
  if ("timeoutMs" in spec) return new TimeoutMiddleware(spec.timeoutMs);
  const { check, later, answer, askTimeoutMs } = spec.gate;
  const gate = PermissionMiddleware.fromContext()
    .withCheck(() => (later ? Promise.resolve(CHECKS[check]) : CHECKS[check]))
    .withAskTimeout(askTimeoutMs);
  if (answer === "nobody") return gate;
  return gate.withAskResolver({
    interactive: false,
    resolve() {
      if (answer === "throws") throw new Error("broken");
      return answer === "never" ? new Promise<never>(() => {}) : answer;
    },
  });
}

const folded = (trail: readonly GateDecision[]) =>
  trail.reduce<GateDecision | null>(
    (outer, inner) => (outer === null ? inner : decisiveRecord(inner, outer)),
    null,
  );

describe("a dispatch leaves one deciding record", () => {
  it("that is the lattice's fold of its trail, and the tool ran exactly where nothing refused, in any stack", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(layerSpec, { maxLength: 5 }), fc.boolean(), async (specs, cancels) => {
        const cancel = new AbortController();
        const { invoke, inputs, clock } = gateRig(specs.map(layerOf));
        const running = invoke({ signal: cancel.signal });
        await turn();
        if (cancels) cancel.abort();
        for (let step = 0; step < 12; step++) {
          clock.advance(10);
          await turn();
        }
        cancel.abort();
        const result = await running;
        const ran = inputs.length > 0;
        const refused = result.trail.some(({ verdict }) => precedenceTier(verdict) === 2);
        expect(result.gate).toEqual(folded(result.trail));
        expect(ran).toBe(!refused && !result.isError);
        expect(new Set(result.trail.map(({ args_digest }) => args_digest)).size).toBeLessThanOrEqual(1);
        expect(result.trail.every((record) => record.args_digest === INPUT_DIGEST && record.ts === 0)).toBe(
          true,
        );
        expect(result.isError).toBe(result.errorKind !== null);
        expect(clock.timerCount).toBe(0);
        await turn();
        expect(inputs.length).toBe(ran ? 1 : 0);
      }),
      { numRuns: 150 },
    );
  });

  it("is null, with an empty trail, where nothing gates", async () => {
    expect(await gateRig([]).invoke()).toMatchObject({ output: "ran", gate: null, trail: [] });
  });

  it("keeps a consent behind an inner pass-through, and a rewrite before both", async () => {
    const approve = { interactive: false, resolve: () => "Approve" as const };
    const asking = () => gateSaying(PermissionCheck.ask("run?")).withAskResolver(approve);
    const consented = await gateRig([asking(), PermissionMiddleware.allowAll()]).invoke();
    expect(consented.gate?.verdict).toBe("ask_allowed");
    const rewritten = await gateRig([asking(), gateSaying(PermissionCheck.modify({})), asking()]).invoke();
    expect(rewritten.gate?.verdict).toBe("allow_modified");
    expect(rewritten.trail).toHaveLength(3);
  });

  it("cannot be forged or lost by a layer that makes up a result", async () => {
    const forging: ToolMiddleware = {
      name: "forging",
      async dispatch(_, next) {
        return {
          ...(await next()),
          gate: recordOf("allow", "forged", "engine"),
          trail: [],
          isError: false,
          output: "forged",
        };
      },
    };
    const result = await gateRig([forging, PermissionMiddleware.denyAll()]).invoke();
    expect(result.gate).toEqual(recordOf("deny", "middleware", "middleware", "blocked by policy"));
    expect(result.trail).toHaveLength(1);
  });

  it("[CASE-196] names every gate's verdict and the deciding one", async () => {
    const policy = stubPolicy(
      policyDecision("allow", {
        rule: { scope: "user", tool: "t", pattern: "x", effect: "allow", id: "the-rule" },
      }),
    );
    const result = await gateRig([
      PermissionMiddleware.fromContext().withNamedCheck("deferring", () => PermissionCheck.allow()),
      PermissionMiddleware.fromContext().withPolicy(policy),
    ]).invoke();
    expect(result.trail).toEqual([
      recordOf("allow", "deferring", "middleware"),
      recordOf("allow", "the-rule", "middleware", null, { matched_pattern: "x" }),
    ]);
    expect(result.gate).toEqual(result.trail[1]);
  });
});
