import {
  type AnswerStatus,
  type Approver,
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  canonicalJson,
  isPermissionGateError,
  onAbort,
  type PendingAsk,
  PermissionGateError,
  parseAskAnswer,
  parsePendingAsk,
} from "@x/permission-core";

interface Wait {
  readonly ask: PendingAsk;
  isRead: boolean;
  readonly settle: (answer: AskAnswer | PermissionGateError) => void;
  unsubscribe: () => void;
}

interface Ending {
  status: AnswerStatus;
  /** the answer that ended the ask, with its answerId */
  repeatable?: string;
}

type Reader = (ask: PendingAsk | null) => void;

/** The plainest channel that keeps the contract. What can be done wrong is a method, so that a test can do it wrong. */
export class MemoryChannel {
  protected readonly waiting = new Map<string, Wait>();
  protected readonly endings = new Map<string, Ending>();
  protected readonly readers: Reader[] = [];
  protected isClosed = false;
  protected isFed = true;

  readonly resolver: AskResolver = {
    interactive: false,
    resolve: (ask, { signal }) => this.park(ask, signal),
  };

  readonly approver: Approver = {
    nextPending: (options) => this.next(options?.signal),
    list: async () => Array.from(this.waiting.values(), ({ ask }) => parsePendingAsk(ask)),
    answer: async (ask, answer, options) => this.answer(ask.id, ask.args_digest, answer, options?.answerId),
    resolve: async (id, answer) => this.answer(id, null, answer) === "delivered",
    close: async () => this.closeApprover(),
    [Symbol.asyncDispose]: async () => this.closeApprover(),
    [Symbol.asyncIterator]: () => this.iterate(),
  };

  closeResolver(): void {
    this.isFed = false;
    if (this.unread() === undefined) this.dismissReaders();
  }

  protected park(given: PendingAsk, signal: AbortSignal): Promise<AskAnswer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (this.isClosed) return resolve({ resolution: "Deny" });
      if (!this.isFed) return reject(new PermissionGateError("ask_unavailable", "the asking side is closed"));
      const settle: Wait["settle"] = (end) => ("resolution" in end ? resolve(end) : reject(end));
      const wait: Wait = { ask: parsePendingAsk(given), isRead: false, settle, unsubscribe: () => {} };
      wait.unsubscribe = this.subscribe(signal, () => this.abort(wait, signal.reason));
      this.waiting.set(wait.ask.id, wait);
      this.serve();
    });
  }

  protected subscribe(signal: AbortSignal, callback: () => void): () => void {
    return onAbort(signal, callback);
  }

  protected answer(id: string, digest: string | null, given: AskResolution | AskAnswer, answerId?: string) {
    const answer = this.read(given);
    const repeatable = answerId === undefined ? undefined : canonicalJson([answerId, answer]);
    const wait = this.waiting.get(id);
    const ending = this.endings.get(id);
    if (wait === undefined)
      return this.isRepeat(ending, repeatable) ? "delivered" : (ending?.status ?? "unknown");
    if (digest !== null && !this.isBound(wait.ask, digest)) return "mismatch";
    this.end(wait, { status: "already_answered", ...(repeatable !== undefined && { repeatable }) });
    wait.settle(answer);
    return "delivered";
  }

  protected read(given: AskResolution | AskAnswer): AskAnswer {
    return parseAskAnswer(given);
  }

  protected isBound(ask: PendingAsk, digest: string): boolean {
    return ask.args_digest === digest;
  }

  protected isRepeat(ending: Ending | undefined, repeatable: string | undefined): boolean {
    return repeatable !== undefined && ending?.repeatable === repeatable;
  }

  protected abort(wait: Wait, reason: PermissionGateError): void {
    const isExpired = isPermissionGateError(reason, "ask_expired");
    const isAnswered = isPermissionGateError(reason, "ask_answered");
    this.end(wait, { status: isExpired ? "expired" : isAnswered ? "already_answered" : "cancelled" });
    wait.settle(reason);
  }

  protected end(wait: Wait, ending: Ending): void {
    wait.unsubscribe();
    this.waiting.delete(wait.ask.id);
    this.endings.set(wait.ask.id, ending);
  }

  protected async next(signal?: AbortSignal): Promise<PendingAsk | null> {
    if (signal?.aborted) throw signal.reason;
    return new Promise((resolve, reject) => {
      const reader: Reader = (ask) => {
        unsubscribe();
        resolve(ask);
      };
      const leave = () => {
        this.readers.splice(this.readers.indexOf(reader), 1);
        reject(signal?.reason);
      };
      const unsubscribe = signal === undefined ? () => {} : onAbort(signal, leave);
      this.readers.push(reader);
      this.serve();
    });
  }

  protected unread(): Wait | undefined {
    return [...this.waiting.values()].find(({ isRead }) => !isRead);
  }

  protected serve(): void {
    for (let wait = this.unread(); wait !== undefined && this.readers.length > 0; wait = this.unread()) {
      wait.isRead = true;
      this.readers.shift()?.(parsePendingAsk(wait.ask));
    }
    if (this.isClosed || !this.isFed) this.dismissReaders();
  }

  protected dismissReaders(): void {
    for (const reader of this.readers.splice(0)) reader(null);
  }

  protected closeApprover(): void {
    this.isClosed = true;
    for (const wait of [...this.waiting.values()]) {
      this.end(wait, { status: "already_answered" });
      wait.settle(this.answerOfClose());
    }
    this.dismissReaders();
  }

  protected answerOfClose(): AskAnswer {
    return { resolution: "Deny" };
  }

  protected async *iterate(): AsyncGenerator<PendingAsk, void, undefined> {
    for (let ask = await this.next(); ask !== null; ask = await this.next()) yield ask;
  }
}
