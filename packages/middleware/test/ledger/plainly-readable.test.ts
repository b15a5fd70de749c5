import { isPermissionGateError } from "@x/permission-core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LEDGER_VERSION, type LedgerLine, lineText } from "../../src/ledger/ledger-line.js";
import { parseLedgerLine } from "../../src/ledger/parse-line.js";
import { isPlainlyReadable } from "../../src/ledger/plainly-readable.js";
import { decision, gate, post, pre } from "./support/events.js";

const v = LEDGER_VERSION;
const call: LedgerLine = { v, type: "tool.call", ...pre };
const result: LedgerLine = { v, type: "tool.result", ...post };
const decided: LedgerLine = { v, type: "gate.decision", ...gate };

/** Values of which each is wrong, or unusual, in some field. */
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "completed",
  "x".repeat(129),
  -1,
  0.5,
  Number.NaN,
  2 ** 60,
  true,
  [],
  {},
  [decision],
  [undefined],
  // biome-ignore lint/suspicious/noSparseArray: what is left out must be seen.
  [decision, , decision],
  { ...decision, verdict: "maybe" },
  { ...decision, ts: -1 },
);

const NAMES = [
  "input_not_json",
  "output_too_large",
  "input",
  ...Object.keys({ ...call, ...result, ...decided }),
];

/** A line with some of its fields, or of its decision's, set to something odd or taken away. */
const changedLine = fc
  .record({
    line: fc.constantFrom(call, result, decided),
    fields: fc.dictionary(fc.constantFrom(...NAMES.filter((name) => name !== "type" && name !== "v")), odd, {
      maxKeys: 2,
    }),
    inDecision: fc.dictionary(fc.constantFrom(...Object.keys(decision)), odd, { maxKeys: 1 }),
    removed: fc.option(fc.constantFrom(...NAMES.filter((name) => name !== "type" && name !== "v"))),
  })
  .map(({ line, fields, inDecision, removed }) => {
    const changed: { [key: string]: unknown } = { ...line, ...fields };
    const { decision: own } = changed;
    if (own === decision) changed["decision"] = { ...decision, ...inDecision };
    if (removed !== null) delete changed[removed];
    return changed as unknown as LedgerLine;
  });

function isRead(line: LedgerLine): boolean {
  try {
    parseLedgerLine(lineText(line));
    return true;
  } catch (error) {
    if (isPermissionGateError(error)) return false;
    throw error;
  }
}

describe("a line that is taken to be readable without its schema", () => {
  it("is one that the reader takes, whatever stands in its fields", () => {
    fc.assert(
      fc.property(changedLine, (line) => {
        if (isPlainlyReadable(line)) expect(isRead(line)).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([call, result, decided])("is each ordinary line of a call", (line) => {
    expect(isPlainlyReadable(line)).toBe(true);
  });

  it.each([
    { ...call, turn: -1 },
    { ...call, agent: undefined },
    { ...result, outcome: "won" },
    { ...result, duration_ms: Number.NaN },
    { ...decided, trail: [{ ...decision, verdict: "maybe" }] },
    { ...decided, ask_id: "x".repeat(257) },
    { ...decided, trail: new Array(1) },
  ])("is not one that the reader refuses", (line) => {
    expect(isPlainlyReadable(line as LedgerLine)).toBe(false);
    expect(isRead(line as LedgerLine)).toBe(false);
  });
});
