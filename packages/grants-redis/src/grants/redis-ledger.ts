import { randomUUID } from "node:crypto";
import { displaySafe, type Grant, PermissionGateError } from "@x/permission-core";
import type { RedisScript, ScriptRunner } from "@x/redis-scripts";
import { copyGrant } from "./copy-grant.js";
import { CLEAR, FIND, LOAD, REVOKE, SAVE, SURVEY } from "./grant-scripts.js";
import { KnownRecords } from "./known-records.js";
import type { LedgerKeys } from "./ledger-keys.js";
import { LedgerDamage, type PlacedEntry } from "./ledger-record.js";
import { parseIds, readLedger, recordsOf } from "./read-ledger.js";

/** What Redis says of a ledger that is no hash, and the scripts of one that they cannot read. */
const DAMAGE = /^(?:DAMAGED (.*)|WRONGTYPE .*)$/s;

export interface Candidates {
  readonly entries: readonly PlacedEntry[];
  readonly inexact: readonly string[];
}

const NONE: readonly string[] = [];

/** Entries that are remembered at once as this store saved them. */
const MOST_SAVED = 1_000;

interface Judged {
  readonly grant: Grant;
  /** by which a script finds that it is still the entry that was judged */
  readonly fingerprint: string;
}

/** The ledger of one project, one script for each operation. What it holds that no script has put there: `ledger_damaged`. */
export class RedisLedger {
  readonly #runner: ScriptRunner;
  readonly #keys: LedgerKeys;
  readonly #known = new KnownRecords();
  /** by id: the fingerprints of what this store saved, which is sound, so that replacing it takes one round trip */
  readonly #saved = new Map<string, string>();

  constructor(runner: ScriptRunner, keys: LedgerKeys) {
    this.#runner = runner;
    this.#keys = keys;
  }

  async load(): Promise<PlacedEntry[]> {
    const reply = await this.#read(LOAD);
    return this.#reading(() => readLedger(reply));
  }

  async texts(): Promise<string[]> {
    const reply = await this.#read(LOAD);
    return this.#reading(() => recordsOf(reply).map(({ record }) => record.raw));
  }

  /** What the two lists name, in insertion order, and the ids of all that covers nothing. Not copies. */
  async candidates(lists: readonly [string, string]): Promise<Candidates> {
    const reply = await this.#read(FIND, lists);
    return this.#reading(() => {
      if (!Array.isArray(reply)) throw new LedgerDamage("it is no hash");
      const [inexact, ...records] = reply;
      const entries = records.map((record) => this.#known.read(record));
      for (const { list } of entries)
        if (!lists.includes(list)) throw new LedgerDamage("a list names an entry of another");
      if (entries.length > 1) entries.sort((left, right) => left.place - right.place);
      return { entries, inexact: inexact === "" ? NONE : parseIds(String(inexact)) };
    });
  }

  async save(id: string, list: string, raw: string): Promise<void> {
    const { ledger, channel } = this.#keys;
    const keys = [ledger, this.#keys.done(randomUUID())];
    let judged = this.#saved.get(id) ?? "";
    for (;;) {
      const reply = await this.#run(SAVE, keys, [id, list, raw, channel, judged]);
      if (!Array.isArray(reply)) return this.#remember(id, String(reply));
      judged = this.#judge(id, reply).fingerprint;
    }
  }

  async revoke(id: string): Promise<Grant | null> {
    const { ledger, channel } = this.#keys;
    const keys = [ledger, this.#keys.done(randomUUID())];
    let judged: Judged | null = null;
    for (;;) {
      const reply = await this.#run(REVOKE, keys, [id, channel, judged?.fingerprint ?? ""]);
      if (!Array.isArray(reply)) return Number(reply) === 1 && judged !== null ? judged.grant : null;
      judged = this.#judge(id, reply);
    }
  }

  /** A ledger that is damaged is kept under another key and counts as 0. */
  async clear(): Promise<number> {
    const { ledger, channel } = this.#keys;
    const token = randomUUID();
    const keys = [ledger, this.#keys.done(token), this.#keys.aside(Date.now(), token)];
    for (;;) {
      const [fingerprint, fields] = (await this.#read(SURVEY)) as [unknown, unknown];
      const count = countOf(String(fingerprint), fields);
      const args = [channel, String(fingerprint), count === null ? 0 : 1];
      if (Number(await this.#run(CLEAR, keys, args)) === 1) return count ?? 0;
    }
  }

  #remember(id: string, fingerprint: string): void {
    this.#saved.delete(id);
    if (fingerprint === "") return;
    const [oldest] = this.#saved.keys();
    if (this.#saved.size >= MOST_SAVED && oldest !== undefined) this.#saved.delete(oldest);
    this.#saved.set(id, fingerprint);
  }

  /** What stands under the id of a grant, as a script gives it that will touch nothing else. */
  #judge(id: string, [record, fingerprint]: readonly unknown[]): Judged {
    const { grant } = this.#reading(() => this.#known.read(record));
    if (grant.id !== id) throw this.#damaged(`grant ${grant.id} stands under the id ${id}`);
    return { grant: copyGrant(grant), fingerprint: String(fingerprint) };
  }

  #read(script: RedisScript, args: readonly string[] = []): Promise<unknown> {
    return this.#telling(this.#runner.read(script, [this.#keys.ledger], args));
  }

  #run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return this.#telling(this.#runner.run(script, keys, args));
  }

  async #telling(running: Promise<unknown>): Promise<unknown> {
    try {
      return await running;
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      const [said, what] = DAMAGE.exec(cause instanceof Error ? cause.message : "") ?? [];
      throw said === undefined ? error : this.#damaged(what ?? "its key holds no hash");
    }
  }

  #reading<Result>(read: () => Result): Result {
    try {
      return read();
    } catch (error) {
      throw error instanceof LedgerDamage ? this.#damaged(error.problem) : error;
    }
  }

  #damaged(problem: string): PermissionGateError {
    const message = `the grant ledger ${this.#keys.ledger} is damaged: ${displaySafe(problem).text}`;
    return new PermissionGateError("ledger_damaged", message);
  }
}

/** How many entries a ledger has that was surveyed; null where it is damaged. */
function countOf(fingerprint: string, fields: unknown): number | null {
  if (fingerprint === "none") return 0;
  try {
    return Array.isArray(fields) && fields.length > 0 ? readLedger(fields).length : null;
  } catch (error) {
    if (error instanceof LedgerDamage) return null;
    throw error;
  }
}
