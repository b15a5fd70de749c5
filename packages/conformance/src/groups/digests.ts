import descriptorDigests from "../../vectors/loopctl/descriptor-digest.json" with { type: "json" };
import digests from "../../vectors/loopctl/digest.json" with { type: "json" };
import relations from "../../vectors/loopctl/digest-relations.json" with { type: "json" };
import fnvs from "../../vectors/loopctl/fnv.json" with { type: "json" };
import { answerMutants, mutant } from "../mutate/answer-mutants.js";
import type { Group, Vector } from "../vector.js";

/** FNV-1a 64 over the UTF-8 bytes of a text. */
export interface FnvVector extends Vector {
  utf8: string;
  hex: string;
}

export const fnv: Group<FnvVector> = { vectors: fnvs, mutants: answerMutants("hex") };

/** Raw JSON text, its canonical text and its digest; or that the text is refused. */
export type DigestVector = Vector & { json: string } & (
    | { canonical: string; digest: string /** how far the spelling can be relied on */; caution?: string }
    | { error: true /** the reference's words */; parser_message: string }
  );

export const digest: Group<DigestVector> = {
  vectors: digests as readonly DigestVector[],
  mutants(vector) {
    if (!("error" in vector)) return answerMutants<DigestVector>("canonical", "digest")(vector);
    const { error: _, parser_message: __, ...rest } = vector;
    return [
      mutant<DigestVector>({ ...rest, canonical: vector.json, digest: "0000000000000000" }, "error", {}),
    ];
  },
};

/** Whether two JSON texts have one digest. */
export interface DigestRelationVector extends Vector {
  left: string;
  right: string;
  equal: boolean;
}

export const digestRelations: Group<DigestRelationVector> = {
  vectors: relations,
  mutants: answerMutants("equal"),
};

/** The digest of a tool's descriptor, and the canonical text that it digests. */
export interface DescriptorDigestVector extends Vector {
  description: string;
  /** without its `input_schema` */
  schema: { readonly tool: string; readonly description: string };
  input_schema_json: string;
  canonical: string;
  digest: string;
}

export const descriptorDigest: Group<DescriptorDigestVector> = {
  vectors: descriptorDigests,
  mutants: answerMutants("canonical", "digest"),
};
