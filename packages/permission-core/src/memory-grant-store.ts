import type { Grant, GrantQuery, GrantStore } from "./grant.js";
import { GrantIndex } from "./grant-index.js";
import { parseGrant } from "./grant-schema.js";

/**
 * Grants for as long as the process lives, and the reference for other stores. Everything it takes or gives is a copy.
 * `save` rejects with code `bad_record` what is no grant.
 */
export class MemoryGrantStore implements GrantStore {
  #index: GrantIndex;

  /** Starts with `grants`, in their order, of which each replaces an earlier one of its id. Default none. */
  constructor(grants: Iterable<Grant> = []) {
    this.#index = new GrantIndex();
    for (const grant of grants) this.#index.upsert(parseGrant(grant));
  }

  async load(): Promise<Grant[]> {
    return this.#index.list().map(parseGrant);
  }

  async find(query: GrantQuery): Promise<Grant[]> {
    return this.#index.find(query).map(parseGrant);
  }

  async save(grant: Grant): Promise<Grant> {
    const kept = parseGrant(grant);
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
}
