import { createGrant } from "@x/permission-core";
import { grantText } from "@x/permission-core/stores";
import { describe, expect, it } from "vitest";
import { withGrant, withoutGrant } from "../src/edit-ledger.js";

import { type Ledger, ledgerText, readLedger } from "../src/ledger.js";
import { foreignEntry } from "./support/stores.js";

function ledgerOf(text: string): Ledger {
  const reading = readLedger(new TextEncoder().encode(text));
  if (reading.kind === "damaged") throw new Error(reading.problem);
  return reading.ledger;
}

const [a, b, c] = [foreignEntry("a"), foreignEntry("b"), foreignEntry("c")];
const added = foreignEntry("new");

describe("withGrant", () => {
  it.each([
    ["[]", `[${added}]`],
    [" [ \n ] \n", ` [${added} \n ] \n`],
    [`[${a}]`, `[${a},${added}]`],
    [`[\n ${a} ,\n ${b}\n]\n`, `[\n ${a} ,\n ${b},${added}\n]\n`],
  ])("adds to %j at the end and keeps all other bytes", (text, expected) => {
    expect(ledgerText(withGrant(ledgerOf(text), added))).toBe(expected);
  });

  it("replaces the first of an id in its place, and leaves a second one", () => {
    const second = foreignEntry("b", { note: "second" });
    const replacement = foreignEntry("b", { note: "new" });
    const ledger = withGrant(ledgerOf(`[ ${a} , ${b},\n${second} ,${c}]`), replacement);
    expect(ledgerText(ledger)).toBe(`[ ${a} , ${replacement},\n${second} ,${c}]`);
  });
});

describe("withoutGrant", () => {
  const pretty = `[\n  ${a},\n  ${b} ,\n  ${c}\n]\n`;
  it.each([
    ["a", `[\n  ${b} ,\n  ${c}\n]\n`],
    ["b", `[\n  ${a} ,\n  ${c}\n]\n`],
    ["c", `[\n  ${a},\n  ${b}\n]\n`],
  ])("removes entry %s and keeps the bytes of the others", (id, expected) => {
    const revocation = withoutGrant(ledgerOf(pretty), id);
    expect(revocation?.removed.id).toBe(id);
    expect(ledgerText(revocation?.ledger ?? ledgerOf("[]"))).toBe(expected);
  });

  it("removes every entry of an id and gives the first", () => {
    const ledger = ledgerOf(`[${foreignEntry("b", { note: "first" })},${a},${b}]`);
    const revocation = withoutGrant(ledger, "b");
    expect(revocation?.removed.note).toBe("first");
    expect(ledgerText(revocation?.ledger ?? ledger)).toBe(`[${a}]`);
  });

  it("gives null for an id that is not there", () => {
    expect(withoutGrant(ledgerOf(pretty), "d")).toBeNull();
  });
});

describe("grantText", () => {
  it("writes fields in wire order, absent options as null and additions only where set", () => {
    const grant = createGrant(
      "t",
      "Deny",
      { this_call: { args: { b: 1, "10": "é\u2028", "9": null } } },
      { createdAtMs: 3 },
    );
    expect(grantText(grant)).toBe(
      `{"id":"${grant.id}","tool":"t","verdict":"Deny","scope":{"this_call":{"args":{"10":"é\u2028","9":null,"b":1}}},"pinned_descriptor":null,"created_at_ms":3,"note":null}`,
    );
    const full = { ...grant, pinned_fingerprint: "sha256:0", expires_at_ms: 9, granted_by: "me" };
    expect(grantText(full).slice(grantText(grant).length - 1)).toBe(
      ',"pinned_fingerprint":"sha256:0","expires_at_ms":9,"granted_by":"me"}',
    );
  });

  it("refuses a note that other hosts could not read back", () => {
    const grant = createGrant("t", "Allow", "this_tool", { note: "\ud800", createdAtMs: 0 });
    expect(() => grantText(grant)).toThrow(expect.objectContaining({ code: "not_json" }));
  });
});
