import {
  type AnswerStatus,
  type Approver,
  type AskAnswer,
  type AskResolution,
  argsDigest,
  canonicalJson,
  type PendingAsk,
  PermissionGateError,
  parseAskAnswer,
} from "@x/permission-core";
import { signedHeaders, tokenFor } from "./callbacks.js";

/** An approver that reads in process and answers by real callbacks, as an endpoint does that took an ask with status 202. */
export class CallbackApprover implements Approver {
  readonly #reader: Approver;
  readonly #callbackUrl: string;
  /** by ask id: what the endpoint was told */
  readonly #asks: ReadonlyMap<string, { ask: PendingAsk; token: string }>;

  readonly #tokens = new Map<string, string>();

  constructor(
    reader: Approver,
    callbackUrl: string,
    asks: ReadonlyMap<string, { ask: PendingAsk; token: string }>,
  ) {
    this.#reader = reader;
    this.#callbackUrl = callbackUrl;
    this.#asks = asks;
  }

  nextPending(options?: { signal?: AbortSignal }): Promise<PendingAsk | null> {
    return this.#reader.nextPending(options);
  }

  list(): Promise<PendingAsk[]> {
    return this.#reader.list();
  }

  async answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    answer: AskResolution | AskAnswer,
    options: { answerId?: string } = {},
  ): Promise<AnswerStatus> {
    const { id, args_digest } = ask;
    // The gate's side reads the answer; an answer that is malformed does not get that far as fields of a body.
    const fields = parseAskAnswer(answer);
    const token = this.#tokenOf(ask);
    const body = JSON.stringify({ ...fields, id, args_digest, token });
    const messageId = `${options.answerId ?? crypto.randomUUID()}-${argsDigest(canonicalJson({ ...fields, id, args_digest }))}`;
    const headers = signedHeaders(body, { id: messageId, atMs: Date.now() });
    const response = await fetch(this.#callbackUrl, { method: "POST", headers, body });
    const { status } = (await response.json()) as { status: AnswerStatus };
    if (response.status === 400) throw new PermissionGateError("bad_record", "the callback was malformed");
    return status;
  }

  async resolve(id: string, answer: AskResolution | AskAnswer): Promise<boolean> {
    const shown = (await this.list()).find((ask) => ask.id === id) ?? this.#asks.get(id)?.ask;
    return (await this.answer(shown ?? { id, args_digest: "unknown" }, answer)) === "delivered";
  }

  /** What the ask was posted with, or made by hand where it was not posted yet; the same each time, so that repeats are equal. */
  #tokenOf(ask: Pick<PendingAsk, "id" | "args_digest">): string {
    const key = `${ask.id} ${ask.args_digest}`;
    const token =
      this.#tokens.get(key) ?? this.#asks.get(ask.id)?.token ?? tokenFor(ask, Date.now() + 3_600_000);
    this.#tokens.set(key, token);
    return token;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  [Symbol.asyncIterator](): AsyncIterator<PendingAsk> {
    return this.#reader[Symbol.asyncIterator]();
  }
}
