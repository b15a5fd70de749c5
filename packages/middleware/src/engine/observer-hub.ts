import type { Awaitable, OnReport } from "@x/permission-core";
import { isPromiseLike } from "../is-promise.js";
import type { EngineObserver } from "./observer.js";

/** Announces events. An observer that fails disturbs neither the dispatch nor the others. */
export class ObserverHub {
  readonly #observers: readonly EngineObserver[];
  readonly #onReport: OnReport;
  readonly #pending = new Set<Promise<void>>();

  constructor(observers: readonly EngineObserver[], onReport: OnReport) {
    this.#observers = observers;
    this.#onReport = onReport;
  }

  get isEmpty(): boolean {
    return this.#observers.length === 0;
  }

  /** Calls `tell` for each observer, in order; what it leaves pending is awaited by `settled`. */
  announce(tell: (observer: EngineObserver) => Awaitable<void> | undefined): void {
    for (const observer of this.#observers) {
      try {
        const told = tell(observer);
        if (isPromiseLike(told)) this.track(told);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  /** Has `settled` wait for something else as well. */
  track(work: PromiseLike<void>): void {
    const tracked = Promise.resolve(work)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
  }

  /** Resolves once nothing is pending. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  #failed(cause: unknown): void {
    this.#onReport({ level: "error", message: "An observer of the engine failed.", cause });
  }
}
