import {
  type Approver,
  type AskAnswer,
  type AskResolver,
  onAbort,
  PermissionGateError,
} from "@x/permission-core";
import { MemoryChannel } from "./memory-channel.js";

/**
 * A channel between two places: whatever one side does reaches the other a turn of the event loop later. Closing the
 * approver closes this one; others could answer still.
 */
export class TravellingChannel {
  readonly #far = new MemoryChannel();
  readonly #closing = new AbortController();

  readonly resolver: AskResolver = {
    interactive: false,
    resolve: (given, { signal, isNonInteractive }) =>
      new Promise<AskAnswer>((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const ask = structuredClone(given);
        const far = new AbortController();
        const unsubscribe = onAbort(signal, () => {
          reject(signal.reason);
          void travel().then(() => far.abort(signal.reason));
        });
        travel()
          .then(() => this.#far.resolver.resolve(ask, { signal: far.signal, isNonInteractive }))
          .then(async (answer) => {
            await travel();
            unsubscribe();
            resolve(answer as AskAnswer);
          }, reject);
      }),
  };

  readonly approver: Approver = {
    nextPending: ({ signal } = {}) => this.#next(signal),
    list: async () => {
      await travel();
      return this.#far.approver.list();
    },
    answer: async (...given) => {
      if (this.#closing.signal.aborted) throw new PermissionGateError("closed", "this approver was closed");
      const sent = structuredClone(given);
      await travel();
      return this.#far.approver.answer(...sent);
    },
    resolve: async (...given) => {
      await travel();
      return this.#far.approver.resolve(...given);
    },
    close: async () => this.#closing.abort(),
    [Symbol.asyncDispose]: () => this.approver.close(),
    [Symbol.asyncIterator]: () => this.#iterate(),
  };

  async #next(leaving: AbortSignal | undefined) {
    const closing = this.#closing.signal;
    if (closing.aborted) return null;
    const signal = leaving === undefined ? closing : AbortSignal.any([closing, leaving]);
    try {
      return await this.#far.approver.nextPending({ signal });
    } catch (error) {
      if (closing.aborted) return null;
      throw error;
    }
  }

  async *#iterate() {
    for (let ask = await this.#next(undefined); ask !== null; ask = await this.#next(undefined)) yield ask;
  }
}

function travel(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
