import { canonicalJson, isPermissionGateError } from "@x/permission-core";
import { type GrantEntry, parseGrantEntry } from "@x/permission-core/stores";
import { listOf } from "./call-list.js";

/** An entry as the ledger holds it, its text not yet read. */
export interface LedgerRecord {
  /** in insertion order */
  readonly place: number;
  /** the field of the list that names it */
  readonly list: string;
  readonly raw: string;
}

/** What of a ledger is not as its scripts leave it. */
export class LedgerDamage {
  constructor(readonly problem: string) {}
}

/** An entry with its place, and the field of the list that names it. */
export interface PlacedEntry extends GrantEntry, LedgerRecord {
  /** the canonical text of its arguments; null where it covers every call of its tool */
  readonly argsText: string | null;
}

/** Takes the value of an entry's field apart; throws {@link LedgerDamage}. */
export function parseRecord(value: unknown): LedgerRecord {
  const [, place, list, raw] = /^(\d{1,16}) (\S+) (.*)$/s.exec(String(value)) ?? [];
  if (place === undefined || list === undefined || raw === undefined)
    throw new LedgerDamage("an entry has no place");
  return { place: Number(place), list, raw };
}

/** Reads a record; throws {@link LedgerDamage} where it is no grant, or stands in another list than its own. */
export function entryOf({ place, list, raw }: LedgerRecord): PlacedEntry {
  const entry = readEntry(raw);
  if (listOf(entry) !== list) throw new LedgerDamage(`grant ${entry.grant.id} is not where it is looked for`);
  const { scope } = entry.grant;
  const argsText = scope === "this_tool" ? null : canonicalJson(scope.this_call.args);
  return { ...entry, place, list, argsText };
}

/** Reads an entry's text; throws {@link LedgerDamage} where it is no grant. */
function readEntry(raw: string): GrantEntry {
  try {
    return parseGrantEntry(raw);
  } catch (error) {
    if (!isPermissionGateError(error)) throw error;
    throw new LedgerDamage(`an entry is no grant: ${error.message}`);
  }
}
