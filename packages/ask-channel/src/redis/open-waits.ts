import type { Wait } from "./wait.js";

/** The waits of one process that are not over, by all that they are found by. */
export class OpenWaits {
  /** by the id of the ask as it is stored */
  readonly #byId = new Map<string, Wait>();
  readonly #byCall = new Map<string, Wait>();
  readonly #byToken = new Map<string, Wait>();
  /** those that wait with another ask than their own, by the id of their own */
  readonly #attached = new Map<string, Wait>();

  get size(): number {
    return this.#byId.size;
  }

  all(): Iterable<Wait> {
    return this.#byId.values();
  }

  /** `id`: of the ask as it is stored, or as it was put. */
  byId(id: string): Wait | undefined {
    return this.#byId.get(id) ?? this.#attached.get(id);
  }

  byToken(token: string): Wait | undefined {
    return this.#byToken.get(token);
  }

  /** The wait for this ask or this call. */
  of(id: string, call: string | null): Wait | undefined {
    return this.#byId.get(id) ?? (call === null ? undefined : this.#byCall.get(call));
  }

  add(wait: Wait): void {
    this.#byId.set(wait.stored.id, wait);
    this.#byToken.set(wait.token, wait);
    if (wait.call !== null) this.#byCall.set(wait.call, wait);
    if (wait.stored.id !== wait.ask.id) this.#attached.set(wait.ask.id, wait);
  }

  /** It goes on with another ask than its own. */
  attach(wait: Wait, stored: { id: string; text: string }): void {
    const isOpen = this.#byId.get(wait.stored.id) === wait;
    if (isOpen) this.#byId.delete(wait.stored.id);
    wait.stored = stored;
    if (!isOpen) return;
    this.#byId.set(stored.id, wait);
    if (stored.id === wait.ask.id) this.#attached.delete(wait.ask.id);
    else this.#attached.set(wait.ask.id, wait);
  }

  remove(wait: Wait): void {
    if (this.#byId.get(wait.stored.id) === wait) this.#byId.delete(wait.stored.id);
    if (this.#attached.size > 0 && this.#attached.get(wait.ask.id) === wait)
      this.#attached.delete(wait.ask.id);
    this.#byToken.delete(wait.token);
    if (wait.call !== null && this.#byCall.get(wait.call) === wait) this.#byCall.delete(wait.call);
  }
}
