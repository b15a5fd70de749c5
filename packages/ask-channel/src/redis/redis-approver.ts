import {
  type AnswerStatus,
  type Approver,
  type AskAnswer,
  type AskResolution,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { answerText, readAnswer } from "../read-answer.js";
import { readAnswerLine, repeatTag } from "./answer-line.js";
import { AnsweringScripts, type ListedClaim } from "./answering-scripts.js";
import { AskFeed } from "./ask-feed.js";
import { Attendance } from "./attendance.js";
import { type ChannelSettings, type RedisChannelOptions, readOptions } from "./options.js";
import { Outage } from "./outage.js";
import { requireLength } from "./require-length.js";
import { readStoredAsk } from "./stored-ask.js";

/** An approval or denial that was taken, of a call that has not told its end: it runs, or its process died. */
export interface OpenClaim {
  ask: PendingAsk;
  answer: AskAnswer;
  /** Unix ms, by Redis's clock */
  claimed_at_ms: number;
}

/**
 * The answering side of a channel over Redis: any number of them, in any processes. Each is given every ask; of their
 * answers one wins, and the others read `already_answered`. It counts as there from its first call until `close()`, or until
 * its process has been silent for `presenceMs`.
 *
 * Closing one denies nobody: over Redis nobody knows which one is the last, and others may still answer. What waits goes on
 * to its deadline; where the asking side demands an approver (`requireApprover`), its waits end as `ask_unavailable` once
 * none has been there for `presenceMs`, and new asks at once.
 *
 * Methods reject with code `storage` where Redis does not answer within `timeoutMs` (for each page of `list` and `openClaims`,
 * and each of the two steps of `resolve`). Whether an answer then arrived is not known: give it again with the same
 * `answerId`, which reads `delivered` if it did.
 */
export class RedisApprover implements Approver {
  readonly #settings: ChannelSettings;
  readonly #scripts: AnsweringScripts;
  readonly #attendance: Attendance;
  readonly #feed: AskFeed;
  readonly #name: string = globalThis.crypto.randomUUID();
  #answers = 0;
  #isListening = false;
  #isClosed = false;

  /** Throws code `invalid_option` for options out of range, and for a client that is closed or has subscribed. */
  constructor(options: RedisChannelOptions) {
    const settings = readOptions(options);
    const outage = new Outage(settings.report, "approver: Redis is out of reach; trying again");
    this.#settings = settings;
    this.#scripts = new AnsweringScripts(settings);
    this.#attendance = new Attendance(settings, this.#scripts, this.#name, outage, () => {
      if (this.#isListening) void this.#feed.catchUp();
    });
    this.#feed = new AskFeed(settings, this.#scripts, outage, () => void this.#attendance.say());
  }

  /** Of the asks that wait and are known here: all, those that nobody has read, and readers that wait for one. */
  load(): { known: number; unread: number; readers: number } {
    return this.#feed.queue.load();
  }

  /**
   * Callers that wait at the same time are served in order. Rejects with `signal.reason` when that aborts. Null once this
   * approver was closed. It goes on waiting while Redis is out of reach.
   */
  nextPending(options: { signal?: AbortSignal } = {}): Promise<PendingAsk | null> {
    if (!this.#isClosed) {
      this.#isListening = true;
      void this.#attendance.begin();
      this.#feed.open();
    }
    return this.#feed.queue.next(options.signal);
  }

  /** Read from Redis at the time of the call; also what was parked before this approver was made. */
  list(): Promise<PendingAsk[]> {
    return this.#attending(() => this.#feed.list());
  }

  /**
   * An answer that is malformed, or of more than 1,000,000 characters as JSON, is refused with code `bad_record`, and its
   * ask goes on waiting. After `close()`: code `closed`.
   */
  async answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    answer: AskResolution | AskAnswer,
    options: { answerId?: string } = {},
  ): Promise<AnswerStatus> {
    const text = answerText(readAnswer(answer));
    requireLength("answer", text, "shorten its reason or the input that it gives");
    const { id, args_digest } = ask;
    const named = { id, args_digest };
    const { queue } = this.#feed;
    const known = queue.of(id);
    const status = await this.#attending(() =>
      this.#scripts.answer({
        id,
        argsDigest: args_digest,
        token: this.#nextToken(),
        tag: repeatTag(named, options.answerId, text),
        signature: this.#settings.signer.signAnswer(named, text),
        text,
        shown: known?.stored ?? null,
      }),
    );
    if (status === "mismatch") return status;
    if (known !== undefined) queue.forget(known);
    if (status !== "changed") return status;
    void this.#feed.readAnew();
    return "mismatch";
  }

  async resolve(id: string, answer: AskResolution | AskAnswer): Promise<boolean> {
    readAnswer(answer);
    const stored = await this.#attending(() => this.#scripts.read(id));
    const ask = stored === null ? null : this.#feed.admissible(id, stored);
    return ask !== null && (await this.answer(ask, answer)) === "delivered";
  }

  /**
   * Every claim that is open now, oldest first: calls that run, and those of processes that died after they took the
   * answer. These never ran to their end as far as Redis knows, and do not run again by themselves. What is damaged is left
   * out and reported.
   */
  async openClaims(): Promise<OpenClaim[]> {
    const claims = await this.#attending(() => this.#scripts.claims());
    return claims.flatMap((claim) => this.#readClaim(claim) ?? []);
  }

  /** Readers get null, and this approver answers no more. Others go on. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#feed.close();
    await this.#attendance.leave();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<PendingAsk, void, undefined> {
    for (let ask = await this.nextPending(); ask !== null; ask = await this.nextPending()) yield ask;
  }

  /** What `run` gives, once it has also been said that this approver is there: beside each other, within one `timeoutMs`. */
  async #attending<T>(run: () => Promise<T>): Promise<T> {
    if (this.#isClosed)
      throw new PermissionGateError("closed", "this approver was closed: make another one.");
    const said = this.#attendance.begin();
    const result = await run();
    await said;
    return result;
  }

  #nextToken(): string {
    this.#answers += 1;
    return `${this.#name}/${this.#answers}`;
  }

  #readClaim(claim: ListedClaim): OpenClaim | null {
    const { signer, report } = this.#settings;
    try {
      const ask = readStoredAsk(claim.stored, signer);
      return { ask, answer: readAnswerLine(ask, claim.line, signer), claimed_at_ms: claim.claimedAtMs };
    } catch (cause) {
      report({ level: "warn", message: "an open claim was left out, since it is damaged", cause });
      return null;
    }
  }
}
