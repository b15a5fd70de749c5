import { deliberateDifferences } from "./deliberate-differences.js";
import { type ApproverChannelVector, approverChannel } from "./groups/approver-channel.js";
import {
  type DescriptorDigestVector,
  type DigestRelationVector,
  type DigestVector,
  descriptorDigest,
  digest,
  digestRelations,
  type FnvVector,
  fnv,
} from "./groups/digests.js";
import {
  type AskEndingVector,
  askEnding,
  type EngineRunVector,
  engineRun,
  type HookVector,
  hookBuiltins,
  type ParkThenPipelineVector,
  parkThenPipeline,
} from "./groups/dispatches.js";
import {
  type EvaluateVector,
  evaluate,
  type GateVector,
  gate,
  type LatticePairVector,
  type LatticeVector,
  lattice,
  latticePairs,
} from "./groups/gates.js";
import {
  type CoversVector,
  covers,
  type GrantIdVector,
  type GrantLedgerVector,
  grantId,
  grantLedger,
  type ProjectIdentityVector,
  projectIdentity,
} from "./groups/grants.js";
import {
  type FlooredAllowSafeVector,
  flooredAllowSafe,
  type LearnVector,
  learn,
  type MatchVector,
  match,
  type ParseSpecVector,
  parseSpec,
  type ReadOnlyShellVector,
  type RuleDecisionVector,
  type RuleStoreVector,
  readOnlyShell,
  ruleDecisions,
  ruleStore,
  type SubstitutionReadOnlyVector,
  substitutionReadOnly,
  type ToolPatternVector,
  toolPattern,
} from "./groups/rules.js";
import { type SerializedVector, serialized } from "./groups/wire-forms.js";
import { isMutatedRun } from "./mutate/mutated-run.js";
import type { Group, Vector } from "./vector.js";

/** The groups, and what a vector of each is. Those of the rule policy's reference have its name before their own. */
export interface VectorTypes {
  fnv: FnvVector;
  digest: DigestVector;
  "digest-relations": DigestRelationVector;
  "descriptor-digest": DescriptorDigestVector;
  "grant-id": GrantIdVector;
  covers: CoversVector;
  "project-identity": ProjectIdentityVector;
  "grant-ledger": GrantLedgerVector;
  "lattice-pairs": LatticePairVector;
  lattice: LatticeVector;
  gate: GateVector;
  evaluate: EvaluateVector;
  "hook-builtins": HookVector;
  "ask-ending": AskEndingVector;
  "park-then-pipeline": ParkThenPipelineVector;
  "engine-run": EngineRunVector;
  "approver-channel": ApproverChannelVector;
  serialized: SerializedVector;
  "mecatl/evaluate": RuleDecisionVector;
  "mecatl/learn": LearnVector;
  "mecatl/readonly-shell": ReadOnlyShellVector;
  "mecatl/match": MatchVector;
  "mecatl/substitution-readonly": SubstitutionReadOnlyVector;
  "mecatl/floored-allow-safe": FlooredAllowSafeVector;
  "mecatl/tool-pattern": ToolPatternVector;
  "mecatl/parse-spec": ParseSpecVector;
  "mecatl/store": RuleStoreVector;
}

export type VectorGroupName = keyof VectorTypes;

const GROUPS: { readonly [Name in VectorGroupName]: Group<VectorTypes[Name]> } = {
  fnv,
  digest,
  "digest-relations": digestRelations,
  "descriptor-digest": descriptorDigest,
  "grant-id": grantId,
  covers,
  "project-identity": projectIdentity,
  "grant-ledger": grantLedger,
  "lattice-pairs": latticePairs,
  lattice,
  gate,
  evaluate,
  "hook-builtins": hookBuiltins,
  "ask-ending": askEnding,
  "park-then-pipeline": parkThenPipeline,
  "engine-run": engineRun,
  "approver-channel": approverChannel,
  serialized,
  "mecatl/evaluate": ruleDecisions,
  "mecatl/learn": learn,
  "mecatl/readonly-shell": readOnlyShell,
  "mecatl/match": match,
  "mecatl/substitution-readonly": substitutionReadOnly,
  "mecatl/floored-allow-safe": flooredAllowSafe,
  "mecatl/tool-pattern": toolPattern,
  "mecatl/parse-spec": parseSpec,
  "mecatl/store": ruleStore,
};

/** The names of all groups. */
export const vectorGroups = Object.keys(GROUPS) as readonly VectorGroupName[];

/**
 * Fresh copies of the group's vectors. In a mutated run: each of them once for every leaf of its answer, with that leaf
 * changed, so that a test on it must fail; the deliberate differences are left out.
 */
export function vectorGroup<Name extends VectorGroupName>(name: Name): VectorTypes[Name][] {
  const group: Group<VectorTypes[Name]> = GROUPS[name];
  const vectors = structuredClone(group.vectors) as VectorTypes[Name][];
  if (!isMutatedRun()) return vectors;
  return vectors
    .filter((vector: Vector) => !deliberateDifferences.some(({ id }) => id === vector.id))
    .flatMap((vector) => group.mutants(vector));
}
