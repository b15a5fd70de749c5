import {
  argsDigestFromText,
  canonicalJson,
  canonicalJsonFromText,
  decisiveRecord,
  descriptorDigest,
  fnv1a64,
  type GateDecision,
  type GateVerdict,
  type GrantScope,
  grantId,
  isPermissionGateError,
} from "@x/permission-core";
import { expect, it } from "vitest";
import { describeVectors } from "../src/index.js";

describeVectors("fnv", {
  it,
  run({ utf8, hex }) {
    expect(fnv1a64(utf8)).toBe(hex);
    expect(fnv1a64(new TextEncoder().encode(utf8))).toBe(hex);
  },
});

describeVectors("digest", {
  it,
  run(vector) {
    const { canonical, digest } = "error" in vector ? { canonical: "bad_json", digest: "bad_json" } : vector;
    expect(textOrCode(() => canonicalJsonFromText(vector.json))).toBe(canonical);
    expect(textOrCode(() => argsDigestFromText(vector.json))).toBe(digest);
  },
});

describeVectors("digest-relations", {
  it,
  run({ left, right, equal }) {
    expect(argsDigestFromText(left) === argsDigestFromText(right)).toBe(equal);
    expect(canonicalJsonFromText(left) === canonicalJsonFromText(right)).toBe(equal);
  },
});

describeVectors("grant-id", {
  it,
  run({ tool, verdict, scope_json, canonical, grant_id }) {
    const scope: GrantScope = JSON.parse(scope_json);
    expect(canonicalJson({ verdict, tool, scope })).toBe(canonical);
    expect(grantId(tool, verdict, scope)).toBe(grant_id);
  },
});

describeVectors("descriptor-digest", {
  it,
  run({ description, schema, input_schema_json, canonical, digest }) {
    const inputSchema = JSON.parse(input_schema_json);
    const name = schema.tool;
    const whole = { ...schema, input_schema: inputSchema };
    expect(canonicalJson({ name, description, schema: whole })).toBe(canonical);
    expect(descriptorDigest({ name, description, inputSchema })).toBe(digest);
  },
});

describeVectors("lattice-pairs", {
  it,
  run({ first_attached, second_attached, survivor }) {
    const inner = record(first_attached);
    const outer = record(second_attached);
    expect(decisiveRecord(inner, outer)).toBe(survivor === "first" ? inner : outer);
  },
});

function record(verdict: GateVerdict): GateDecision {
  return {
    tool: "probe",
    args_digest: "5400c22c6f602e27",
    verdict,
    rule_id: "middleware",
    rule_source: "middleware",
    matched_pattern: null,
    reason: null,
    ts: 0,
  };
}

/** What `compute` gives, or the code of the error that it throws. */
function textOrCode(compute: () => string): string {
  try {
    return compute();
  } catch (error) {
    if (isPermissionGateError(error)) return error.code;
    throw error;
  }
}
