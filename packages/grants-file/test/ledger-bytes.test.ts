import fc from "fast-check";
import { expect, it } from "vitest";
import { withGrant, withoutGrant } from "../src/edit-ledger.js";
import { type Ledger, ledgerText, readLedger } from "../src/ledger.js";
import { ledgerBytes } from "../src/ledger-bytes.js";
import { foreignEntry } from "./support/stores.js";

const notes = ["", "plain", "ä€😀", "line\nbreak"];

function parsed(text: string): Ledger {
  const reading = readLedger(Buffer.from(text));
  if (reading.kind === "damaged") throw new Error(reading.problem);
  return reading.ledger;
}

const entry = fc
  .tuple(fc.constantFrom("a", "b", "c", "d"), fc.constantFrom(...notes))
  .map(([id, note]) => foreignEntry(id, { note }));
const blank = fc.constantFrom("", " ", "\n  ", "\t");
const layout = fc
  .tuple(fc.array(entry, { maxLength: 6 }), blank, blank)
  .map(([entries, lead, trail]) => `${lead}[${lead}${entries.join(`${trail},${lead}`)}${trail}]${trail}`);
const edit = fc.oneof(
  fc.record({ kind: fc.constant("save" as const), raw: entry }),
  fc.record({ kind: fc.constant("revoke" as const), id: fc.constantFrom("a", "b", "c", "d") }),
);

it("gives the bytes of the whole text, whatever was edited", () => {
  fc.assert(
    fc.property(layout, fc.array(edit, { maxLength: 5 }), (text, edits) => {
      let ledger = parsed(text);
      let bytes: Uint8Array = Buffer.from(text);
      for (const step of edits) {
        const next =
          step.kind === "save"
            ? withGrant(ledger, step.raw)
            : (withoutGrant(ledger, step.id)?.ledger ?? ledger);
        bytes = ledgerBytes(next, { ledger, bytes });
        ledger = next;
        expect(Buffer.from(bytes).toString()).toBe(ledgerText(ledger));
      }
    }),
  );
});

it("gives them also beside another ledger's bytes", () => {
  fc.assert(
    fc.property(layout, layout, (text, other) => {
      const bytes = ledgerBytes(parsed(text), { ledger: parsed(other), bytes: Buffer.from(other) });
      expect(Buffer.from(bytes).toString()).toBe(text);
    }),
  );
});
