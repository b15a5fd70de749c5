import type { Clock, Grant, GrantQuery, GrantStore } from "@x/permission-core";

/** What happened to the grants of a store. */
export type GrantChange =
  | { type: "grant.saved" | "grant.revoked" | "grant.expired"; grant: Grant }
  | { type: "grant.cleared"; count: number };

/** How many grants with an expiry are kept in mind; of more, the oldest are forgotten. */
const MOST_WATCHED = 10_000;

/**
 * A store that tells of every change that goes through it, once it is done. An expiry is told when a look at the store
 * comes after it, once, of grants that this decorator has seen: saved, found or loaded.
 */
export class RecordingGrantStore implements GrantStore {
  readonly #store: GrantStore;
  readonly #clock: Clock;
  readonly #tell: (change: GrantChange) => void;
  /** seen, and to expire, by id */
  readonly #watched = new Map<string, Grant>();
  /** told to have expired, by id, with the expiry */
  readonly #expired = new Map<string, number>();
  /** no watched grant expires before this */
  #nextExpiryMs = Number.POSITIVE_INFINITY;

  constructor(store: GrantStore, clock: Clock, tell: (change: GrantChange) => void) {
    this.#store = store;
    this.#clock = clock;
    this.#tell = tell;
  }

  async load(): Promise<Grant[]> {
    const grants = await this.#store.load();
    this.#see(grants, this.#clock.now());
    return grants;
  }

  async find(query: GrantQuery): Promise<Grant[]> {
    const grants = await this.#store.find(query);
    this.#see(grants, query.nowMs);
    return grants;
  }

  async save(grant: Grant): Promise<Grant> {
    const saved = await this.#store.save(grant);
    this.#forget(saved.id);
    this.#tell({ type: "grant.saved", grant: saved });
    this.#watch(saved);
    return saved;
  }

  async revoke(id: string): Promise<Grant | null> {
    const revoked = await this.#store.revoke(id);
    this.#forget(id);
    if (revoked !== null) this.#tell({ type: "grant.revoked", grant: revoked });
    return revoked;
  }

  async clear(): Promise<number> {
    const count = await this.#store.clear();
    this.#watched.clear();
    this.#expired.clear();
    this.#tell({ type: "grant.cleared", count });
    return count;
  }

  #see(grants: readonly Grant[], nowMs: number): void {
    for (const grant of grants) this.#watch(grant);
    if (nowMs < this.#nextExpiryMs) return;
    this.#nextExpiryMs = Number.POSITIVE_INFINITY;
    for (const grant of this.#watched.values()) {
      const { id, expires_at_ms = Number.POSITIVE_INFINITY } = grant;
      if (expires_at_ms > nowMs) {
        this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expires_at_ms);
        continue;
      }
      this.#watched.delete(id);
      remember(this.#expired, id, expires_at_ms);
      this.#tell({ type: "grant.expired", grant });
    }
  }

  #watch(grant: Grant): void {
    const { id, expires_at_ms } = grant;
    if (expires_at_ms === undefined) {
      this.#forget(id);
    } else if (this.#expired.get(id) !== expires_at_ms) {
      remember(this.#watched, id, grant);
      this.#nextExpiryMs = Math.min(this.#nextExpiryMs, expires_at_ms);
    }
  }

  #forget(id: string): void {
    this.#watched.delete(id);
    this.#expired.delete(id);
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MOST_WATCHED) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
