import type { AnswerStatus, Approver, AskAnswer, AskResolution, PendingAsk } from "@x/permission-core";
import type { ChannelHub } from "./channel-hub.js";

/**
 * The answering side of an in-process channel. The status of an answer is decided when `answer` is called, not when
 * its promise is awaited. An answer that is malformed is refused with code `bad_record`, and its ask goes on waiting.
 */
export class ChannelApprover implements Approver {
  readonly #hub: ChannelHub;
  readonly #close: () => void;

  constructor(hub: ChannelHub, close: () => void) {
    this.#hub = hub;
    this.#close = close;
  }

  /** Callers that wait at the same time are served in order. Rejects with `signal.reason` when that aborts. */
  nextPending(options: { signal?: AbortSignal } = {}): Promise<PendingAsk | null> {
    return this.#hub.nextPending(options.signal);
  }

  async list(): Promise<PendingAsk[]> {
    return this.#hub.list();
  }

  async answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    answer: AskResolution | AskAnswer,
    options: { answerId?: string } = {},
  ): Promise<AnswerStatus> {
    return this.#hub.answer({ id: ask.id, argsDigest: ask.args_digest }, answer, options.answerId);
  }

  async resolve(id: string, answer: AskResolution | AskAnswer): Promise<boolean> {
    return this.#hub.answer({ id, argsDigest: null }, answer) === "delivered";
  }

  /** Denies all that wait and all that come. A second call does nothing. */
  async close(): Promise<void> {
    this.#close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PendingAsk, void, undefined> {
    for (let ask = await this.nextPending(); ask !== null; ask = await this.nextPending()) yield ask;
  }
}
