import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GateDecision, GateRuleSource, GateVerdict } from "../src/gate-decision.js";
import { decisiveRecord, precedenceTier } from "../src/precedence.js";

const DENIALS: readonly GateVerdict[] = ["deny", "ask_denied", "ask_unresolved", "ask_expired", "cancelled"];
const VERDICTS: readonly GateVerdict[] = [...DENIALS, "allow", "allow_modified", "ask", "ask_allowed"];
const SOURCES: readonly GateRuleSource[] = [
  "middleware",
  "context",
  "ask_resolver",
  "engine",
  "hook",
  "grant",
];

const record: fc.Arbitrary<GateDecision> = fc.record({
  tool: fc.constant("t"),
  args_digest: fc.constant("f1ed61cd8ca5e26b"),
  verdict: fc.constantFrom(...VERDICTS),
  rule_id: fc.string({ maxLength: 3 }),
  rule_source: fc.constantFrom(...SOURCES),
  matched_pattern: fc.constant(null),
  reason: fc.constant(null),
  ts: fc.constant(0),
});
const trail = fc.array(record, { minLength: 1, maxLength: 8 });

const isDenial = (decision: GateDecision) => DENIALS.includes(decision.verdict);
const isConsent = ({ verdict, rule_source }: GateDecision) =>
  verdict === "ask_allowed" || (verdict === "allow" && rule_source === "grant");
/** Folds from the outermost inwards, as a trail is ordered. */
const decide = (decisions: readonly GateDecision[]) =>
  decisions.reduce((outer, inner) => decisiveRecord(inner, outer));

const plain = (
  verdict: GateVerdict,
  rule_source: GateRuleSource = "middleware",
  rule_id = verdict,
): GateDecision => ({
  tool: "t",
  args_digest: "f1ed61cd8ca5e26b",
  verdict,
  rule_id,
  rule_source,
  matched_pattern: null,
  reason: null,
  ts: 0,
});

describe("precedenceTier", () => {
  it.each(VERDICTS)("puts %s into its tier", (verdict) => {
    const tier = DENIALS.includes(verdict) ? 2 : verdict === "allow_modified" ? 1 : 0;
    expect(precedenceTier(verdict)).toBe(tier);
  });
});

describe("decisiveRecord", () => {
  it("is idempotent", () => {
    fc.assert(
      fc.property(record, (decision) => {
        expect(decisiveRecord(decision, decision)).toBe(decision);
      }),
    );
  });

  it("gives one of the two", () => {
    fc.assert(
      fc.property(record, record, (inner, outer) => {
        expect([inner, outer]).toContain(decisiveRecord(inner, outer));
      }),
    );
  });

  it("is associative, so layers may be folded in any grouping", () => {
    fc.assert(
      fc.property(record, record, record, (inner, middle, outer) => {
        expect(decisiveRecord(decisiveRecord(inner, middle), outer)).toBe(
          decisiveRecord(inner, decisiveRecord(middle, outer)),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("never loses a denial, and keeps the innermost of several", () => {
    fc.assert(
      fc.property(trail, (decisions) => {
        const innermost = decisions.findLast(isDenial);
        if (innermost === undefined) expect(isDenial(decide(decisions))).toBe(false);
        else expect(decide(decisions)).toBe(innermost);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps the innermost rewrite where nothing was denied", () => {
    fc.assert(
      fc.property(trail, (decisions) => {
        const innermost = decisions.findLast(({ verdict }) => verdict === "allow_modified");
        fc.pre(innermost !== undefined && !decisions.some(isDenial));
        expect(decide(decisions)).toBe(innermost);
      }),
    );
  });

  it("never loses a consent behind a pass-through", () => {
    fc.assert(
      fc.property(trail, (decisions) => {
        fc.pre(decisions.every(({ verdict }) => precedenceTier(verdict) === 0));
        const innermost = decisions.findLast(isConsent) ?? decisions.at(-1);
        expect(decide(decisions)).toBe(innermost);
      }),
    );
  });

  it("counts the allow of a grant as a consent, and no other allow", () => {
    const granted = plain("allow", "grant");
    for (const source of SOURCES.filter((source) => source !== "grant")) {
      const passed = plain("allow", source);
      expect(decisiveRecord(passed, granted)).toBe(granted);
      expect(decisiveRecord(granted, passed)).toBe(granted);
    }
    const approved = plain("ask_allowed", "ask_resolver");
    expect(decisiveRecord(approved, granted)).toBe(approved);
    expect(decisiveRecord(granted, approved)).toBe(granted);
  });

  it("lets a denial by a grant weigh as any denial", () => {
    const refused = plain("deny", "grant");
    expect(decisiveRecord(plain("ask_allowed"), refused)).toBe(refused);
    expect(decisiveRecord(refused, plain("allow_modified"))).toBe(refused);
  });
});
