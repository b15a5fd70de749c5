import { realpathSync } from "node:fs";
import {
  canonicalJson,
  displaySafe,
  type Grant,
  type GrantQuery,
  type GrantStore,
  isolatedReport,
  type OnReport,
  PermissionGateError,
  parseGrant,
  projectIdentityFrom,
} from "@x/permission-core";
import { type GrantEntry, type GrantTexts, grantText, parseGrantEntry } from "@x/permission-core/stores";
import { isWellFormed, type RedisClient, requirePrefix, requireUsable, ScriptRunner } from "@x/redis-scripts";
import { DEFAULT_PREFIX, DEFAULT_TIMEOUT_MS, type RedisStoreOptions, requireMs } from "../options.js";
import { listOf, listsFor } from "./call-list.js";
import { ChangeListener } from "./change-listener.js";
import { copyGrant } from "./copy-grant.js";
import { FoundGrants } from "./found-grants.js";
import { LedgerKeys } from "./ledger-keys.js";
import type { PlacedEntry } from "./ledger-record.js";
import { RedisLedger } from "./redis-ledger.js";

/** Whose grants they are. */
export type RedisProject =
  /** The project's folder, which need not exist yet: known by its real path, as the file store knows it. */
  | { projectDir: string; projectId?: never }
  /** Any text of 1 to 200 characters, for projects that are no folders or lie at different paths. */
  | { projectId: string; projectDir?: never };

export type RedisGrantStoreOptions = RedisStoreOptions &
  RedisProject & {
    /** Told once of each stored grant that covers no call because of its number spellings. Default `console.warn`. */
    onReport?: OnReport;
    /**
     * Milliseconds for which `find` may repeat what Redis said, unless it hears of a change before. A revoke by any process
     * acts here when its message arrives, and at the latest after this time. Default 0: every `find` asks Redis.
     */
    cacheMs?: number;
  };

const LONGEST_ID = 200;

/**
 * Grants in Redis, seen by every process at once. Each operation is one script, so that it happens whole or not at all, and
 * one that was sent again after a lost connection happens once. Works with a single server, Sentinel and Cluster; all keys
 * of one project share a hash tag. The client stays the caller's: nothing closes it.
 *
 * Rejects with code `storage` where Redis cannot be reached, refuses, or has not answered within `timeoutMs`; whether a
 * write happened is then unknown, and it does not happen later. Rejects with `ledger_damaged` where what it reads is not
 * what this store put there; only `clear` goes on, which keeps it under another key and gives 0. `save` rejects what is
 * no grant with `bad_record` or `not_json`. The constructor throws `invalid_option`, also for a client that has subscribed
 * or was closed.
 */
export class RedisGrantStore implements GrantStore, GrantTexts, AsyncDisposable {
  /** 16 hex where it stands for a folder; else as given. */
  readonly projectId: string;
  readonly #ledger: RedisLedger;
  readonly #onReport: OnReport;
  readonly #found: FoundGrants | null;
  readonly #listener: ChangeListener | null;
  /** of grants that cover no call */
  #reported: ReadonlySet<string> = new Set();

  constructor(redis: RedisClient, options: RedisGrantStoreOptions) {
    requireUsable(redis);
    this.projectId = projectIdOf(options);
    const { prefix = DEFAULT_PREFIX, timeoutMs = DEFAULT_TIMEOUT_MS, onReport } = options;
    const keys = new LedgerKeys(requirePrefix(prefix, redis), this.projectId, redis);
    const runner = new ScriptRunner(redis, requireMs("timeoutMs", timeoutMs));
    this.#ledger = new RedisLedger(runner, keys);
    this.#onReport = isolatedReport(onReport);
    const cacheMs = requireMs("cacheMs", options.cacheMs ?? 0, 0);
    if (cacheMs === 0) {
      this.#found = null;
      this.#listener = null;
      return;
    }
    const found = new FoundGrants(cacheMs, () => listener.isListening);
    const listener = new ChangeListener(redis, keys.channel, () => found.drop());
    this.#found = found;
    this.#listener = listener;
  }

  /** All grants in the order in which they were saved, expired ones included. Always asks Redis. */
  async load(): Promise<Grant[]> {
    const entries = await this.#ledger.load();
    this.#reportInexact(entries.filter(({ exact }) => !exact).map(({ grant }) => grant.id));
    return entries.map(({ grant }) => grant);
  }

  /**
   * The unexpired grants that cover a call. One round trip, or none within `cacheMs`. Throws `not_json` where there are
   * grants for such a call and its arguments are no JSON value.
   */
  async find(query: GrantQuery): Promise<Grant[]> {
    const { tool, args, nowMs } = query;
    const found: Grant[] = [];
    let text: string | undefined;
    for (const { grant, exact, argsText } of await this.#candidates(query)) {
      if (grant.tool !== tool || !exact) continue;
      if (grant.expires_at_ms !== undefined && grant.expires_at_ms <= nowMs) continue;
      if (argsText !== null) text ??= canonicalJson(args);
      if (argsText === null || argsText === text) found.push(copyGrant(grant));
    }
    return found;
  }

  /** Saves, or replaces the entry of the grant's id whole and in place. Other entries keep their bytes. */
  async save(grant: Grant): Promise<Grant> {
    const kept = parseGrant(grant);
    await this.#put({ raw: grantText(kept), grant: kept, exact: true });
    return kept;
  }

  /** Removes the entry of that id and gives its grant; null where there is none. */
  async revoke(id: string): Promise<Grant | null> {
    // None is saved under such an id, and it would name another's.
    if (!isWellFormed(id)) return null;
    return this.#changing(() => this.#ledger.revoke(id));
  }

  /** Removes all grants and gives their number. */
  clear(): Promise<number> {
    return this.#changing(() => this.#ledger.clear());
  }

  /** The text of every entry, also of one that is no grant. See `GrantTexts`. */
  loadTexts(): Promise<string[]> {
    return this.#ledger.texts();
  }

  /** Saves as `save` does, and keeps the text byte for byte, blanks around it aside. See `GrantTexts`. */
  async saveText(text: string): Promise<Grant> {
    // Read before it is trimmed: JSON knows fewer blanks than that.
    const entry = { ...parseGrantEntry(text), raw: text.trim() };
    // Half a character has no bytes: it would come back as another one.
    canonicalJson([entry.raw, entry.grant.id, entry.grant.tool]);
    await this.#put(entry);
    if (!entry.exact) this.#reportInexact([...this.#reported, entry.grant.id]);
    return entry.grant;
  }

  /** Ends the connection that `cacheMs` has made, if any. The store goes on without it; the client given is left alone. */
  async close(): Promise<void> {
    this.#listener?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #candidates(query: GrantQuery): Promise<readonly PlacedEntry[]> {
    const lists = listsFor(query);
    const look = async () => {
      const { entries, inexact } = await this.#ledger.candidates(lists);
      this.#reportInexact(inexact);
      return entries;
    };
    return this.#found === null ? look() : this.#found.get(lists.join(" "), look);
  }

  #put(entry: GrantEntry): Promise<void> {
    return this.#changing(() => this.#ledger.save(entry.grant.id, listOf(entry), entry.raw));
  }

  /** What this store changed, it sees itself at once. */
  async #changing<Result>(change: () => Promise<Result>): Promise<Result> {
    try {
      return await change();
    } finally {
      this.#found?.drop();
    }
  }

  /** Once for each id, for as long as it stays among them. */
  #reportInexact(ids: readonly string[]): void {
    if (ids.length === 0 && this.#reported.size === 0) return;
    const before = this.#reported;
    this.#reported = new Set(ids);
    for (const id of ids) {
      if (before.has(id)) continue;
      const message = `grant ${displaySafe(id).text} of project ${this.projectId} covers no call, since JavaScript spells numbers in its arguments differently`;
      this.#onReport({ level: "warn", message });
    }
  }
}

function projectIdOf({ projectDir, projectId }: { projectDir?: string; projectId?: string } = {}): string {
  if ((projectDir === undefined) === (projectId === undefined)) {
    throw new PermissionGateError("invalid_option", "give projectDir or projectId, and not both");
  }
  if (projectDir === undefined) {
    if (typeof projectId === "string" && projectId !== "" && projectId.length <= LONGEST_ID) return projectId;
    throw new PermissionGateError(
      "invalid_option",
      `projectId is not a text of 1 to ${LONGEST_ID} characters`,
    );
  }
  if (typeof projectDir === "string" && projectDir !== "" && !projectDir.includes("\0")) {
    return projectIdentityFrom(projectDir, { realPath: realpathSync.native, cwd: process.cwd() }).id;
  }
  throw new PermissionGateError("invalid_option", "projectDir is not the path of a folder");
}
