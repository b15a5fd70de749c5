import {
  canonicalJson,
  type Grant,
  type GrantQuery,
  type GrantStore,
  PermissionGateError,
  parseGrant,
} from "@x/permission-core";
import sqlite from "node-sqlite3-wasm";

const COLUMNS = "(place INTEGER PRIMARY KEY, id TEXT UNIQUE, tool TEXT, call TEXT, ends REAL, record TEXT)";
const SET = "SET tool = excluded.tool, call = excluded.call, ends = excluded.ends, record = excluded.record";
const COVERS = "tool = ? AND (call IS NULL OR call = ?) AND (ends IS NULL OR ends > ?)";

/** Grants in an SQLite database. Rejects with code `storage` when it cannot be used, so that the gate asks. */
export class SqliteGrantStore implements GrantStore {
  readonly #database: InstanceType<typeof sqlite.Database>;

  /** Makes the file where there is none. Close the store when it is used no more; it then fails like a lost database. */
  constructor(file: string) {
    this.#database = new sqlite.Database(file);
    this.#database.exec(`PRAGMA busy_timeout = 2000; CREATE TABLE IF NOT EXISTS grants ${COLUMNS}`);
    this.#database.exec("CREATE INDEX IF NOT EXISTS grants_of_call ON grants (tool, call)");
  }

  async load(): Promise<Grant[]> {
    return this.#grants("SELECT record FROM grants ORDER BY place", []);
  }

  async find({ tool, args, nowMs }: GrantQuery): Promise<Grant[]> {
    const values = [text(tool), text(args), nowMs];
    return this.#grants(`SELECT record FROM grants WHERE ${COVERS} ORDER BY place`, values);
  }

  async save(grant: Grant): Promise<Grant> {
    const kept = parseGrant(grant);
    const { id, tool, scope, expires_at_ms: ends = null } = kept;
    const call = scope === "this_tool" ? null : text(scope.this_call.args);
    await this.#grants(
      `INSERT INTO grants (id, tool, call, ends, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE ${SET}`,
      [text(id), text(tool), call, ends, text(kept)],
    );
    return kept;
  }

  async revoke(id: string): Promise<Grant | null> {
    return (await this.#grants("DELETE FROM grants WHERE id = ? RETURNING record", [text(id)]))[0] ?? null;
  }

  async clear(): Promise<number> {
    return (await this.#grants("DELETE FROM grants RETURNING record", [])).length;
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  async #grants(statement: string, values: (string | number | null)[]): Promise<Grant[]> {
    try {
      const rows = this.#database.all(statement, values);
      return rows.map(({ record }) => parseGrant(JSON.parse(String(record))));
    } catch (cause) {
      throw new PermissionGateError("storage", "the database of grants cannot be used", { cause });
    }
  }
}

/** Canonical, so equal for equal arguments; and without a NUL, at which the database would cut a text. */
const text = canonicalJson;
