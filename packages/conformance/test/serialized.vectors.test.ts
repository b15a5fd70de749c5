import {
  canonicalJson,
  descriptorDigest,
  fnv1a64,
  isPermissionCheck,
  PermissionCheck,
  parseAskAnswer,
  parseGateDecision,
  parseGrant,
  parsePendingAsk,
} from "@x/permission-core";
import { expect, it } from "vitest";
import { describeVectors, type SerializedVector } from "../src/index.js";

type Spellings = Extract<SerializedVector, { values: readonly string[] }>;

/** Two more than the reference has. */
const ADDED_RULE_SOURCES = ["hook", "grant"];

const WORDS = [
  ..."Approve Deny Allow Ask".split(" "),
  ..."allow ask ask_allowed allow_modified deny ask_denied ask_unresolved ask_expired cancelled".split(" "),
  ..."middleware context ask_resolver engine hook grant policy user".split(" "),
  ...['"this_tool"', '{"this_call":{"args":{"path":"a.txt"}}}', '{"this_tool":null}', '"this_call"', "null"],
];
const CANDIDATES = [
  ...new Set(WORDS.flatMap((word) => [word, word.toUpperCase(), word.toLowerCase(), `${word} `])),
];

describeVectors("serialized", {
  it,
  run(vector) {
    if ("values" in vector) requireSpellings(vector);
    else if (vector.json === null) expect(hasSerialForm(PermissionCheck.deny("no"))).toBe(false);
    else requireSameForm(vector);
  },
});

/** Read and written again, the text is the same. A tool's schema is only digested: the digest is of exactly this form. */
function requireSameForm({ type, json }: Extract<SerializedVector, { json: string }>): void {
  const value = JSON.parse(json);
  if (type === "GateDecision") expect(JSON.stringify(parseGateDecision(value))).toBe(json);
  else if (type === "PendingAsk") expect(JSON.stringify(parsePendingAsk(value))).toBe(json);
  else {
    const descriptor = { name: "read", description: "Reads a file", inputSchema: {} };
    const digested = canonicalJson({ name: "read", description: "Reads a file", schema: value });
    expect(descriptorDigest(descriptor)).toBe(fnv1a64(digested));
  }
}

/** Of all words that some type has, and of these in other case, exactly the type's own are read and written again. */
function requireSpellings({ type, values }: Spellings): void {
  const accepted = CANDIDATES.filter((candidate) => {
    try {
      return writtenAgain(type, candidate) === candidate;
    } catch {
      return false;
    }
  });
  const expected = type === "GateRuleSource" ? [...values, ...ADDED_RULE_SOURCES] : values;
  expect(accepted.sort()).toEqual([...expected].sort());
}

function writtenAgain(type: Spellings["type"], spelling: string): string {
  const decision = {
    tool: "probe",
    args_digest: "5400c22c6f602e27",
    verdict: "allow",
    rule_id: "middleware",
    rule_source: "middleware",
    matched_pattern: null,
    reason: null,
    ts: 0,
  };
  const grant = { id: "x", tool: "read", verdict: "Allow", scope: "this_tool", created_at_ms: 0 };
  switch (type) {
    case "AskResolution":
      return parseAskAnswer({ resolution: spelling }).resolution;
    case "GateVerdict":
      return parseGateDecision({ ...decision, verdict: spelling }).verdict;
    case "GateRuleSource":
      return parseGateDecision({ ...decision, rule_source: spelling }).rule_source;
    case "GrantVerdict":
      return parseGrant({ ...grant, verdict: spelling }).verdict;
    case "GrantScope":
      return JSON.stringify(parseGrant({ ...grant, scope: JSON.parse(spelling) }).scope);
  }
}

function hasSerialForm(check: PermissionCheck): boolean {
  const copy: unknown = JSON.parse(JSON.stringify(check));
  return isPermissionCheck(copy) && canonicalJson(copy) === canonicalJson(check);
}
