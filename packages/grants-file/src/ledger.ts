import { isPermissionGateError } from "@x/permission-core";
import { checkJson, elementExtents, JsonSyntaxError } from "@x/permission-core/stores";
import { decodeUtf8 } from "./decode-utf8.js";
import { type LedgerEntry, parseEntry } from "./ledger-entry.js";
import { type TextPosition, textPosition } from "./text-position.js";

/** A ledger's text in pieces: `head`, the entries with what stands between them, `tail`. */
export interface Ledger {
  readonly head: string;
  readonly entries: readonly LedgerEntry[];
  readonly tail: string;
}

export const EMPTY_LEDGER: Ledger = { head: "[", entries: [], tail: "]" };

export type LedgerReading =
  | { kind: "ledger"; ledger: Ledger }
  | { kind: "damaged"; position: TextPosition; problem: string };

export type LedgerDamage = Extract<LedgerReading, { kind: "damaged" }>;

/** Reads a ledger's bytes. One entry that is no grant damages the whole, as an empty file does. Never throws. */
export function readLedger(bytes: Uint8Array): LedgerReading {
  const array = readArray(bytes);
  return array.kind === "damaged" ? array : readEntries(array.text);
}

/** The text of every entry of a ledger's bytes, also of one that is no grant. Never throws. */
export function readEntryTexts(bytes: Uint8Array): { kind: "texts"; texts: string[] } | LedgerDamage {
  const array = readArray(bytes);
  if (array.kind === "damaged") return array;
  const { text } = array;
  return { kind: "texts", texts: elementExtents(text).map(({ start, end }) => text.slice(start, end)) };
}

/** The text, once it is known to be JSON and an array. */
function readArray(bytes: Uint8Array): { kind: "array"; text: string } | LedgerDamage {
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === "invalid") return damaged(decoded.before, decoded.before.length, "not UTF-8");
  const { text } = decoded;
  try {
    checkJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return damaged(text, error.offset, error.message);
  }
  const start = text.search(/\S/);
  if (text[start] !== "[") return damaged(text, start, "expected an array of grants");
  return { kind: "array", text };
}

function readEntries(text: string): LedgerReading {
  const extents = elementExtents(text);
  const headEnd = extents[0]?.start ?? text.indexOf("[") + 1;
  const entries: LedgerEntry[] = [];
  let end = headEnd;
  for (const [index, extent] of extents.entries()) {
    try {
      entries.push(parseEntry(text.slice(extent.start, extent.end), text.slice(end, extent.start)));
    } catch (error) {
      if (!isPermissionGateError(error)) throw error;
      return damaged(text, extent.start, `entry ${index + 1} is no grant: ${error.message}`);
    }
    end = extent.end;
  }
  return { kind: "ledger", ledger: { head: text.slice(0, headEnd), entries, tail: text.slice(end) } };
}

function damaged(text: string, offset: number, problem: string): LedgerDamage {
  return { kind: "damaged", position: textPosition(text, offset), problem };
}

/** The ledger's text, byte for byte where nothing was edited. */
export function ledgerText({ head, entries, tail }: Ledger): string {
  return head + entries.map(({ before, raw }, index) => (index === 0 ? raw : before + raw)).join("") + tail;
}
