import { INEXACT_LIST } from "./call-list.js";
import { entryOf, LedgerDamage, type LedgerRecord, type PlacedEntry, parseRecord } from "./ledger-record.js";

/** The records of a whole ledger in insertion order, from its fields and their values in turn. Throws {@link LedgerDamage}. */
export function recordsOf(reply: unknown): { id: string; record: LedgerRecord }[] {
  return [...fieldsOf(reply)]
    .filter(([field]) => field.startsWith("e"))
    .map(([field, value]) => ({ id: field.slice(1), record: parseRecord(value) }))
    .sort((left, right) => left.record.place - right.record.place);
}

/**
 * The entries of a whole ledger in insertion order. Throws {@link LedgerDamage} where any is no grant, or where lists and
 * entries do not fit together: then a look-up would miss some.
 */
export function readLedger(reply: unknown): PlacedEntry[] {
  const records = recordsOf(reply);
  const lists = listsOf(reply);
  let named = 0;
  for (const ids of lists.values()) named += ids.size;
  if (named !== records.length)
    throw new LedgerDamage(`${named} entries are named, and ${records.length} are there`);
  return records.map(({ id, record }) => {
    const entry = entryOf(record);
    if (entry.grant.id !== id) throw new LedgerDamage(`grant ${entry.grant.id} stands under the id ${id}`);
    if (!lists.get(record.list)?.has(id)) throw new LedgerDamage(`no list names grant ${id}`);
    return entry;
  });
}

function listsOf(reply: unknown): Map<string, Set<string>> {
  const lists = new Map<string, Set<string>>();
  for (const [field, value] of fieldsOf(reply)) {
    if (field.startsWith("c") || field === INEXACT_LIST) lists.set(field, new Set(parseIds(value)));
    else if (!field.startsWith("e") && field !== "n") throw new LedgerDamage(`a field is called ${field}`);
  }
  return lists;
}

/** The ids of a list's text, one at least; throws {@link LedgerDamage}. */
export function parseIds(text: string): string[] {
  try {
    const ids: unknown = JSON.parse(text);
    const isList = Array.isArray(ids) && ids.length > 0 && ids.every((id) => typeof id === "string");
    if (isList) return ids;
  } catch {
    // Told below.
  }
  throw new LedgerDamage("a list of ids cannot be read");
}

function fieldsOf(reply: unknown): Map<string, string> {
  if (!Array.isArray(reply)) throw new LedgerDamage("it is no hash");
  const fields = new Map<string, string>();
  for (let at = 0; at < reply.length; at += 2) fields.set(String(reply[at]), String(reply[at + 1]));
  return fields;
}
