import { randomUUID } from "node:crypto";
import { displaySafe, type Grant, PermissionGateError } from "@x/permission-core";
import type { RedisScript, ScriptRunner } from "@x/redis-scripts";
import { CLEAR, FIND, LOAD, REVOKE, SAVE } from "./grant-scripts.js";
import { KnownRecords } from "./known-records.js";
import type { LedgerKeys } from "./ledger-keys.js";
import { LedgerDamage, type PlacedEntry, readEntry } from "./ledger-record.js";
import { parseIds, readLedger, recordsOf } from "./read-ledger.js";

/** What Redis says of a ledger that is no hash, and the scripts of one that they cannot read. */
const DAMAGE = /^(?:DAMAGED (.*)|WRONGTYPE .*)$/s;

export interface Candidates {
  readonly entries: readonly PlacedEntry[];
  readonly inexact: readonly string[];
}

const NONE: readonly string[] = [];

/** The ledger of one project, one script for each operation. What it holds that no script has put there: `ledger_damaged`. */
export class RedisLedger {
  readonly #runner: ScriptRunner;
  readonly #keys: LedgerKeys;
  readonly #known = new KnownRecords();

  constructor(runner: ScriptRunner, keys: LedgerKeys) {
    this.#runner = runner;
    this.#keys = keys;
  }

  async load(): Promise<PlacedEntry[]> {
    const reply = await this.#run(LOAD, [this.#keys.ledger], []);
    return this.#reading(() => readLedger(reply));
  }

  async texts(): Promise<string[]> {
    const reply = await this.#run(LOAD, [this.#keys.ledger], []);
    return this.#reading(() => recordsOf(reply).map(({ record }) => record.raw));
  }

  /** What the two lists name, in insertion order, and the ids of all that covers nothing. Not copies. */
  async candidates(lists: readonly [string, string]): Promise<Candidates> {
    const reply = await this.#run(FIND, [this.#keys.ledger], lists);
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
    await this.#run(SAVE, [ledger, this.#keys.done(randomUUID())], [id, list, raw, channel]);
  }

  async revoke(id: string): Promise<Grant | null> {
    const { ledger, channel } = this.#keys;
    const reply = String(await this.#run(REVOKE, [ledger, this.#keys.done(randomUUID())], [id, channel]));
    if (reply === "0") return null;
    return this.#reading(() => readEntry(reply.slice(1))).grant;
  }

  /** A ledger that is damaged is kept under another key and counts as 0. */
  async clear(): Promise<number> {
    const { ledger, channel } = this.#keys;
    const token = randomUUID();
    const keys = [ledger, this.#keys.done(token), this.#keys.aside(Date.now(), token)];
    return Number(await this.#run(CLEAR, keys, [channel]));
  }

  async #run(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown> {
    try {
      return await this.#runner.run(script, keys, args);
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
