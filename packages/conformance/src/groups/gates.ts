import type { GateDecision, GateRuleSource, GateVerdict, JsonValue } from "@x/permission-core";
import evaluations from "../../vectors/loopctl/evaluate.json" with { type: "json" };
import gates from "../../vectors/loopctl/gate.json" with { type: "json" };
import lattices from "../../vectors/loopctl/lattice.json" with { type: "json" };
import pairs from "../../vectors/loopctl/lattice-pairs.json" with { type: "json" };
import { answerMutants } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** What a gate's check says. `rule` names it; absent: an unnamed check. */
export type CheckLayer = { rule?: string } & (
  | { check: "allow" }
  | { check: "deny"; reason: string }
  | { check: "modify"; to: JsonValue }
  | { check: "ask"; prompt: string; resolver?: AskOutcome }
);

/** `none`: nobody to ask. `pending`: asked, and never answers. */
export type AskOutcome = "approve" | "refuse" | "none" | "pending";

/** The call's own claim, under a gate without a check. */
export type ClaimLayer =
  | { claim: "modify"; to: JsonValue }
  | { claim: "ask"; prompt: string }
  | { claim: "deny"; reason: string };

/** Which of two records of one dispatch survives. */
export interface LatticePairVector extends Vector {
  /** the inner layer's verdict */
  first_attached: GateVerdict;
  /** the outer layer's verdict */
  second_attached: GateVerdict;
  survivor: "first" | "second";
}

export const latticePairs: Group<LatticePairVector> = {
  vectors: pairs as readonly LatticePairVector[],
  mutants: answerMutants("survivor"),
};

/** Two or three gates over one call. */
export interface LatticeVector extends Vector {
  /** outermost first */
  layers: readonly CheckLayer[];
  tool: string;
  input: JsonValue;
  expect: {
    gate: GateDecision;
    executed: boolean;
    is_error: boolean;
    text: string;
    /** what the tool got; null where it did not run */
    tool_input: JsonValue;
    /** the prompts put, in order */
    asks: readonly string[];
  };
}

export const lattice: Group<LatticeVector> = {
  vectors: lattices as readonly LatticeVector[],
  mutants: answerMutants("expect"),
};

/** One gate over one call, on a bare pipeline. */
export interface GateVector extends Vector {
  check:
    | (CheckLayer & {
        /** how the gate was built, where that matters: a named check, then an unnamed one */
        built?: readonly string[];
        /** the call's claim beside the check */
        claim_ignored?: "deny";
      })
    | { preset: "allow_all" }
    | ClaimLayer;
  resolver: AskOutcome | null;
  /** when the call is cancelled */
  cancel: "never" | "before" | "during";
  tool: string;
  input: JsonValue;
  expect: {
    verdict: GateVerdict;
    rule_source: GateRuleSource;
    rule_id: string;
    matched_pattern: string | null;
    reason: string | null;
    ts_before_emission: number;
    args_digest: string;
    executed: boolean;
    /** null: the result is the tool's output */
    errorText: string | null;
    is_error: boolean;
    /** exactly 0, or more than 0 */
    duration: "zero" | "measured";
    /** one entry for each line logged or reported at warn */
    warn_logs: readonly string[];
    /** what the tool got */
    tool_input?: JsonValue;
  };
}

export const gate: Group<GateVector> = {
  vectors: gates as readonly GateVector[],
  mutants: answerMutants("expect"),
};

/** A dry run: its record, or what its check sees. */
export type EvaluateVector = Vector &
  (
    | {
        layer: CheckLayer | { preset: "deny_all" };
        tool: string;
        input: JsonValue;
        expect: GateDecision;
        executed: boolean;
        resolver_calls: number;
      }
    | {
        /** of the context that the check is given, the last two in words */
        expect: {
          call_id: string;
          turn_number: number;
          /** the kind of the claim */
          permission: string;
          cancel: string;
          tool_context: string;
        };
      }
  );

export const evaluate: Group<EvaluateVector> = {
  vectors: evaluations as readonly EvaluateVector[],
  mutants: answerMutants("expect", "executed", "resolver_calls"),
};
