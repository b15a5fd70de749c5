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
   * that have half a character, written as an escape, where the target keeps no texts, and those whose numbers the target
   * cannot spell, since there they would cover calls that they do not cover here.
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
 * entries by id, unless `lossy`. What a store rejects with passes through; a copy that broke off can be made again. Until it
 * has ended, an allow counts in the target before a deny that stands behind it: no gate should use it meanwhile.
 */
export async function copyGrants(
  from: GrantStore,
  to: GrantStore,
  { lossy = false }: CopyGrantsOptions = {},
): Promise<GrantsCopied> {
  const { entries, losses } = keepsTexts(from)
    ? sortOut(await from.loadTexts(), readEntry, !keepsTexts(to))
    : sortOut(await from.load(), readLoaded, true);
  if (losses.length > 0 && !lossy) throw refusal(losses);
  for (const { raw, grant } of entries) await (keepsTexts(to) ? to.saveText(raw) : to.save(grant));
  return { copied: entries.length, losses };
}

/** An entry with the text by which its source holds it, or why it is none. */
type Read = { entry: GrantEntry; heldAs: string } | { id: string | null; reason: string };

/** `losesFields`: whether the target saves what the known fields say, and no more. */
function sortOut<Source>(
  sources: readonly Source[],
  read: (source: Source) => Read,
  losesFields: boolean,
): { entries: GrantEntry[]; losses: GrantLoss[] } {
  const entries: GrantEntry[] = [];
  /** of all that are grants, whether they are carried or not: what stands behind one counts for nothing where it is */
  const ids = new Set<string>();
  const losses: GrantLoss[] = [];
  for (const [index, source] of sources.entries()) {
    const lose = (id: string | null, what: GrantLoss["what"], reason: string) =>
      losses.push({ id, entry: index + 1, what, reason });
    const given = read(source);
    if ("reason" in given) {
      lose(given.id, "left out", given.reason);
      continue;
    }
    const { entry, heldAs } = given;
    const { id } = entry.grant;
    const obstacle = losesFields ? obstacleTo(entry) : null;
    const isBehind = ids.has(id);
    ids.add(id);
    if (isBehind) lose(id, "left out", "stands behind another of its id");
    else if (obstacle !== null) lose(id, "left out", obstacle);
    else {
      entries.push(entry);
      const unknown = losesFields ? unknownFields(heldAs) : [];
      if (unknown.length > 0) lose(id, "fields lost", `has the unknown fields ${unknown.join(", ")}`);
    }
  }
  return { entries, losses };
}

/** Why the grant cannot be saved as its known fields say, without its text; null where it can. */
function obstacleTo({ grant, exact }: GrantEntry): string | null {
  if (!exact) return "has numbers that JavaScript spells differently";
  try {
    // The arguments are JSON, or it would be no grant. Other texts may hold what only an escape can say.
    canonicalJson({ ...grant, scope: null });
    return null;
  } catch (error) {
    if (!isPermissionGateError(error)) throw error;
    return `cannot be saved: ${error.message}`;
  }
}

function readEntry(text: string): Read {
  try {
    const entry = parseGrantEntry(text);
    // Text that is not well-formed Unicode has no bytes that every store could keep.
    canonicalJson([entry.raw, entry.grant.id, entry.grant.tool]);
    return { entry, heldAs: text };
  } catch (error) {
    return noGrant(error, () => JSON.parse(text));
  }
}

/** Of a store without texts: whatever it gives, read once, by the rules for texts. It is carried as its known fields say. */
function readLoaded(loaded: unknown): Read {
  try {
    const heldAs = canonicalJson(loaded);
    const { grant, exact } = parseGrantEntry(heldAs);
    return { entry: { raw: grantText(grant), grant, exact }, heldAs };
  } catch (error) {
    return noGrant(error, () => loaded);
  }
}

function noGrant(error: unknown, value: () => unknown): Read {
  if (!isPermissionGateError(error)) throw error;
  return { id: idIn(value), reason: `is no grant: ${error.message}` };
}

function idIn(value: () => unknown): string | null {
  try {
    const { id } = value() as { id?: unknown };
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
