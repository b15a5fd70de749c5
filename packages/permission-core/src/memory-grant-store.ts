import { canonicalJson } from "./canonical-json.js";
import { displaySafe } from "./display-safe.js";
import type { Grant, GrantQuery, GrantStore } from "./grant.js";
import { parseGrantEntry } from "./grant-entry.js";
import { GrantIndex } from "./grant-index.js";
import { parseGrant } from "./grant-schema.js";
import { grantText } from "./grant-text.js";
import type { GrantTexts } from "./grant-texts.js";
import { isolatedReport, type OnReport } from "./report.js";

/**
 * Grants for as long as the process lives, and the reference for other stores. Everything it takes or gives is a copy.
 * `save` rejects with code `bad_record` what is no grant, and with `not_json` half a character, which no ledger could hold.
 */
export class MemoryGrantStore implements GrantStore, GrantTexts {
  #index: GrantIndex;
  /** of the entries that were saved as texts */
  readonly #texts = new WeakMap<Grant, string>();
  readonly #onReport: OnReport;

  /**
   * Starts with `grants`, in their order, of which each replaces an earlier one of its id. Default none. Throws what `save`
   * rejects with. `onReport` is told of grants that cover no call because of their number spellings, as `saveText` takes
   * them. Default `console.warn`.
   */
  constructor(grants: Iterable<Grant> = [], { onReport }: { onReport?: OnReport } = {}) {
    this.#onReport = isolatedReport(onReport);
    this.#index = new GrantIndex();
    for (const grant of grants) this.#index.upsert(parseKeepable(grant));
  }

  async load(): Promise<Grant[]> {
    return this.#index.list().map(parseGrant);
  }

  async find(query: GrantQuery): Promise<Grant[]> {
    return this.#index.find(query).map(parseGrant);
  }

  async save(grant: Grant): Promise<Grant> {
    const kept = parseKeepable(grant);
    this.#index.upsert(kept);
    return parseGrant(kept);
  }

  async revoke(id: string): Promise<Grant | null> {
    return this.#index.remove(id);
  }

  async clear(): Promise<number> {
    const count = this.#index.size;
    this.#index = new GrantIndex();
    return count;
  }

  async loadTexts(): Promise<string[]> {
    return this.#index.list().map((grant) => this.#texts.get(grant) ?? grantText(grant));
  }

  async saveText(text: string): Promise<Grant> {
    const { grant, exact } = parseGrantEntry(text);
    canonicalJson(text);
    this.#index.upsert(grant, { coversNothing: !exact });
    this.#texts.set(grant, text);
    if (!exact) {
      const message = `grant ${displaySafe(grant.id).text} covers no call, since JavaScript spells numbers in its arguments differently`;
      this.#onReport({ level: "warn", message });
    }
    return parseGrant(grant);
  }
}

/** The grant, once it is known that it has a text. */
function parseKeepable(grant: Grant): Grant {
  const kept = parseGrant(grant);
  grantText(kept);
  return kept;
}
