import { canonicalJson } from "./canonical-json.js";
import { fnv1a64 } from "./fnv1a64.js";
import type { Grant, GrantQuery } from "./grant.js";

interface Entry {
  readonly grant: Grant;
  /** the place in insertion order; an entry that replaces another takes over its place */
  readonly place: number;
  /** digest and canonical text of a `this_call` scope's arguments; null: every call of the tool */
  readonly call: { readonly digest: string; readonly text: string } | null;
  readonly coversNothing: boolean;
}

interface ToolEntries {
  readonly everyCall: Entry[];
  readonly byDigest: Map<string, Entry[]>;
}

export interface GrantIndexEntryOptions {
  /** Listed and revocable, but never found: the stored text says something that the parsed grant cannot. Default false. */
  coversNothing?: boolean;
}

/**
 * Grants in insertion order, with a look-up that is flat in their number. Holds and gives the very objects it was given:
 * copying is the store's part. Grants are taken as `parseGrant` gives them.
 */
export class GrantIndex {
  /** by place; replacing a value keeps its position in the iteration */
  readonly #entries = new Map<number, Entry>();
  /** more than one of an id only where a ledger was edited by hand; in insertion order */
  readonly #byId = new Map<string, Entry[]>();
  readonly #byTool = new Map<string, ToolEntries>();
  #nextPlace = 0;

  constructor(grants: Iterable<Grant> = []) {
    for (const grant of grants) this.add(grant);
  }

  get size(): number {
    return this.#entries.size;
  }

  /** All grants in insertion order, expired ones and those that cover nothing included. */
  list(): Grant[] {
    return Array.from(this.#entries.values(), (entry) => entry.grant);
  }

  /** The first grant of that id. */
  get(id: string): Grant | null {
    return this.#byId.get(id)?.[0]?.grant ?? null;
  }

  /** Puts a grant at the end, also beside another of its id: the way to load a ledger as it stands. */
  add(grant: Grant, options: GrantIndexEntryOptions = {}): void {
    this.#insert(toEntry(grant, this.#nextPlace, options));
    this.#nextPlace += 1;
  }

  /** Replaces the first grant of the same id whole and in place, or puts it at the end. Gives the one it replaced. */
  upsert(grant: Grant, options: GrantIndexEntryOptions = {}): Grant | null {
    const replaced = this.#byId.get(grant.id)?.[0];
    if (replaced === undefined) {
      this.add(grant, options);
      return null;
    }
    const entry = toEntry(grant, replaced.place, options);
    this.#unlink(replaced);
    this.#insert(entry);
    return replaced.grant;
  }

  /** Removes every grant of that id. Gives the first of them, or null. */
  remove(id: string): Grant | null {
    const removed = this.#byId.get(id) ?? [];
    for (const entry of removed) {
      this.#unlink(entry);
      this.#entries.delete(entry.place);
    }
    return removed[0]?.grant ?? null;
  }

  /**
   * The grants that cover a call, in insertion order, without those whose `expires_at_ms` is not after `nowMs`. The
   * digest leads to the candidates and the canonical text decides: two arguments may share a digest on purpose. Throws
   * `not_json` where there are candidates and `args` is no JSON value.
   */
  find({ tool, args, argsDigest, nowMs }: GrantQuery): Grant[] {
    const entries = this.#byTool.get(tool);
    if (entries === undefined) return [];
    const found = [...entries.everyCall];
    const candidates = entries.byDigest.get(argsDigest);
    if (candidates !== undefined) {
      const text = canonicalJson(args);
      for (const entry of candidates) if (entry.call?.text === text) found.push(entry);
    }
    return found
      .filter(({ grant }) => grant.expires_at_ms === undefined || grant.expires_at_ms > nowMs)
      .sort((left, right) => left.place - right.place)
      .map((entry) => entry.grant);
  }

  #insert(entry: Entry): void {
    this.#entries.set(entry.place, entry);
    insertByPlace(listAt(this.#byId, entry.grant.id), entry);
    if (entry.coversNothing) return;
    let entries = this.#byTool.get(entry.grant.tool);
    if (entries === undefined) {
      entries = { everyCall: [], byDigest: new Map() };
      this.#byTool.set(entry.grant.tool, entries);
    }
    const list = entry.call === null ? entries.everyCall : listAt(entries.byDigest, entry.call.digest);
    list.push(entry);
  }

  /** Takes the entry out of the look-ups, and leaves no empty list behind. Its place stays. */
  #unlink(entry: Entry): void {
    removeFrom(this.#byId, entry.grant.id, entry);
    const entries = this.#byTool.get(entry.grant.tool);
    if (entries === undefined || entry.coversNothing) return;
    if (entry.call === null) entries.everyCall.splice(entries.everyCall.indexOf(entry), 1);
    else removeFrom(entries.byDigest, entry.call.digest, entry);
    if (entries.everyCall.length === 0 && entries.byDigest.size === 0) this.#byTool.delete(entry.grant.tool);
  }
}

function toEntry(grant: Grant, place: number, { coversNothing = false }: GrantIndexEntryOptions): Entry {
  if (coversNothing || grant.scope === "this_tool") return { grant, place, call: null, coversNothing };
  const text = canonicalJson(grant.scope.this_call.args);
  return { grant, place, call: { digest: fnv1a64(text), text }, coversNothing };
}

function listAt<Key>(lists: Map<Key, Entry[]>, key: Key): Entry[] {
  const list = lists.get(key);
  if (list !== undefined) return list;
  const created: Entry[] = [];
  lists.set(key, created);
  return created;
}

function insertByPlace(list: Entry[], entry: Entry): void {
  const after = list.findIndex((other) => other.place > entry.place);
  list.splice(after === -1 ? list.length : after, 0, entry);
}

function removeFrom<Key>(lists: Map<Key, Entry[]>, key: Key, entry: Entry): void {
  const rest = lists.get(key)?.filter((other) => other !== entry) ?? [];
  if (rest.length === 0) lists.delete(key);
  else lists.set(key, rest);
}
