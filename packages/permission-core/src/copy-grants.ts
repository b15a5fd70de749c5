import { canonicalJson } from "./canonical-json.js";
import { displaySafe } from "./display-safe.js";
import { isPermissionGateError, PermissionGateError } from "./errors.js";
import type { GrantStore } from "./grant.js";
import { GRANT_FIELDS, type GrantEntry, parseGrantEntry } from "./grant-entry.js";
import { grantText } from "./grant-text.js";
import { keepsTexts } from "./grant-texts.js";

export interface CopyGrantsOptions {
  /**
   * Copy what can be carried and tell the rest. Default false: nothing is copied where anything would be lost. Lost are
   * fields that the target cannot hold; left out are entries that are no grants, that stand behind another of their id,
   * and those whose numbers the target cannot spell, since there they would cover calls that they do not cover here.
   */
  lossy?: boolean;
}

/** An entry that could not be carried whole. */
export interface GrantLoss {
  /** its id; null where it has none */
  id: string | null;
  /** counted from 1 */
  entry: number;
  what: "left out" | "fields lost";
  /** for people */
  reason: string;
}

export interface GrantsCopied {
  /** how many grants were saved in the target */
  copied: number;
  /** empty unless `lossy` */
  losses: GrantLoss[];
}

/**
 * Copies every grant of `from` to `to`, in order, as saving each of them would: grants of the same id are replaced in
 * place, others of the target stay. Where both stores keep texts (see `GrantTexts`) every entry keeps its bytes, so that a
 * ledger which this library wrote comes back the same through any of them.
 *
 * What cannot be carried is found before anything is written: rejects with code `bad_record`, whose message names the
 * entries by id, unless `lossy`. What a store rejects with passes through; a copy that broke off can be made again.
 */
export async function copyGrants(
  from: GrantStore,
  to: GrantStore,
  { lossy = false }: CopyGrantsOptions = {},
): Promise<GrantsCopied> {
  const texts = keepsTexts(from) ? await from.loadTexts() : (await from.load()).map(grantText);
  const { entries, losses } = sortOut(texts, keepsTexts(to));
  if (losses.length > 0 && !lossy) throw refusal(losses);
  for (const { raw, grant } of entries) await (keepsTexts(to) ? to.saveText(raw) : to.save(grant));
  return { copied: entries.length, losses };
}

function sortOut(
  texts: readonly string[],
  intoTexts: boolean,
): { entries: GrantEntry[]; losses: GrantLoss[] } {
  const entries = new Map<string, GrantEntry>();
  const losses: GrantLoss[] = [];
  for (const [index, text] of texts.entries()) {
    const lose = (id: string | null, what: GrantLoss["what"], reason: string) =>
      losses.push({ id, entry: index + 1, what, reason });
    const entry = readEntry(text);
    if ("reason" in entry) lose(entry.id, "left out", entry.reason);
    else if (entries.has(entry.grant.id)) lose(entry.grant.id, "left out", "stands behind another of its id");
    else if (!intoTexts && !entry.exact)
      lose(entry.grant.id, "left out", "has numbers that JavaScript spells differently");
    else {
      entries.set(entry.grant.id, entry);
      const unknown = intoTexts ? [] : unknownFields(text);
      if (unknown.length > 0)
        lose(entry.grant.id, "fields lost", `has the unknown fields ${unknown.join(", ")}`);
    }
  }
  return { entries: [...entries.values()], losses };
}

function readEntry(text: string): GrantEntry | { id: string | null; reason: string } {
  try {
    const entry = parseGrantEntry(text);
    // Text that is not well-formed Unicode has no bytes that every store could keep.
    canonicalJson([entry.raw, entry.grant.id, entry.grant.tool]);
    return entry;
  } catch (error) {
    if (!isPermissionGateError(error)) throw error;
    return { id: idIn(text), reason: `is no grant: ${error.message}` };
  }
}

function idIn(text: string): string | null {
  try {
    const { id } = JSON.parse(text);
    return typeof id === "string" ? id : null;
  } catch {
    return null;
  }
}

/** Of the grant and of its scope; `text` is a grant's. */
function unknownFields(text: string): string[] {
  const grant = JSON.parse(text);
  const ofGrant = Object.keys(grant).filter((name) => !GRANT_FIELDS.has(name));
  const call = grant.scope.this_call ?? {};
  const ofCall = Object.keys(call).filter((name) => name !== "args");
  return [...ofGrant, ...ofCall.map((name) => `scope.this_call.${name}`)].map(
    (name) => displaySafe(name).text,
  );
}

function refusal(losses: readonly GrantLoss[]): PermissionGateError {
  const named = losses.map(({ id, entry, reason }) => {
    const name = id === null ? `entry ${entry}` : displaySafe(id).text;
    return `${name} ${reason}`;
  });
  return new PermissionGateError(
    "bad_record",
    `Nothing was copied, since these grants cannot be carried whole: ${named.join("; ")}. With lossy: true the rest is copied.`,
  );
}
