import type { GateDecision, JsonValue } from "@x/permission-core";
import endings from "../../vectors/loopctl/ask-ending.json" with { type: "json" };
import runs from "../../vectors/loopctl/engine-run.json" with { type: "json" };
import hooks from "../../vectors/loopctl/hook-builtins.json" with { type: "json" };
import parks from "../../vectors/loopctl/park-then-pipeline.json" with { type: "json" };
import { answerMutants } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** What a built-in hook says of a call. */
export interface HookVector extends Vector {
  /** `blocklist deny [<tool>]` */
  hook: string;
  tool: string;
  /** null: the hook does not object */
  expect: { action: "Block"; reason: string } | null;
}

export const hookBuiltins: Group<HookVector> = {
  vectors: hooks as readonly HookVector[],
  mutants: answerMutants("expect"),
};

/** How an engine's dispatch ends when a hook asks. */
export interface AskEndingVector extends Vector {
  /** the situation, in words and values */
  given: { readonly [key: string]: JsonValue };
  tool: string;
  input: JsonValue;
  /** what the hook asks */
  prompt: string;
  record: GateDecision | null;
  /** completed runs of the tool; `started` where a cancel caught it running */
  executed: number | "started";
  /** null: `dispatch` rejects; `(tool output)`: whatever the tool gave */
  model_text: string | null;
  /** without `ask_parked` */
  observer_order: readonly string[];
  run: "continues" | "ends with Cancelled";
  /** whether the outcome of `tool_post` is any but `completed` */
  post_is_error?: boolean;
}

export const askEnding: Group<AskEndingVector> = {
  vectors: endings as readonly AskEndingVector[],
  mutants: answerMutants("record", "executed", "model_text", "observer_order", "run", "post_is_error"),
};

/** An ask that a hook raised and somebody approved, and then the pipeline's own gate. */
export interface ParkThenPipelineVector extends Vector {
  hook: "ask, approved";
  /** null: the pipeline has no gate */
  pipeline_gate: "allow" | "ask-refuse" | null;
  input: JsonValue;
  /** whose record it is */
  survivor: "park" | "pipeline";
  record: Omit<GateDecision, "matched_pattern" | "ts">;
  records_emitted: number;
  executed: boolean;
  text: string;
}

export const parkThenPipeline: Group<ParkThenPipelineVector> = {
  vectors: parks as readonly ParkThenPipelineVector[],
  mutants: answerMutants("record", "records_emitted", "executed", "text"),
};

/** Several calls of one run. */
export interface EngineRunVector extends Vector {
  clock_ms: number;
  /** what the gate says of each call, in words */
  gate: string;
  records: readonly (GateDecision & { turn: number; call_id: string })[];
  observer_order: readonly string[];
}

export const engineRun: Group<EngineRunVector> = {
  vectors: runs as readonly EngineRunVector[],
  mutants: answerMutants("records", "observer_order"),
};
