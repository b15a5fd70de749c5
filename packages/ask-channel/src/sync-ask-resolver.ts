import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  isolatedReport,
  type OnReport,
  type PendingAsk,
} from "@x/permission-core";
import { readAnswer } from "./read-answer.js";

/**
 * Asks a function that answers at once, once per ask. Approves only on exactly `true`, `"Approve"` or an approving
 * answer; anything else denies, a promise included. What the function throws denies too, by the gate.
 */
export class SyncAskResolver implements AskResolver {
  readonly interactive = false;
  readonly #decide: (pending: PendingAsk) => boolean | AskResolution | AskAnswer;
  readonly #onReport: OnReport;

  constructor(
    decide: (pending: PendingAsk) => boolean | AskResolution | AskAnswer,
    options: { /** told of values that are no answer; default `console.warn` */ onReport?: OnReport } = {},
  ) {
    this.#decide = decide;
    this.#onReport = isolatedReport(options.onReport);
  }

  /** Throws `signal.reason`, and asks nobody, when that was aborted before. */
  resolve(pending: PendingAsk, context: { signal: AbortSignal }): AskResolution | AskAnswer {
    context.signal.throwIfAborted();
    const value: unknown = this.#decide(pending);
    if (typeof value === "boolean") return value ? "Approve" : "Deny";
    try {
      return readAnswer(value);
    } catch (cause) {
      ignoreRejection(value);
      this.#onReport({
        level: "warn",
        message: `ask ${pending.id}: denied, since the resolver gave no answer`,
        cause,
      });
      return "Deny";
    }
  }
}

/** A promise that is no answer must not bring the process down when it rejects. */
function ignoreRejection(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {});
}
