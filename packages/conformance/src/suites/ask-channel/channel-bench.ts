import {
  type AnswerStatus,
  type Approver,
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type Awaitable,
  type PendingAsk,
  PermissionGateError,
  parseAskAnswer,
} from "@x/permission-core";
import { waitOn } from "./wait-on.js";

/** Both sides of a channel. */
export interface AskChannel {
  resolver: AskResolver;
  approver: Approver;
  /** Called after each test, also a failed one. */
  close?(): Awaitable<void>;
}

/** What a wait came to: an answer, or the code of what it rejected with. */
export type WaitOutcome = { answer: AskAnswer } | { code: string };

/** One call that waits at the asking side. */
export interface Waiting {
  ask: PendingAsk;
  /** Rejects only when the resolver gave what is no answer. */
  outcome: Promise<WaitOutcome>;
  isOver(): boolean;
  end(code: "ask_cancelled" | "ask_expired" | "ask_answered"): void;
}

/** A channel while one test uses it. Whatever a test waits for comes within the turns of {@link waitOn}, or fails it. */
export class ChannelBench {
  readonly #channel: AskChannel;
  readonly #turn: () => Awaitable<void>;
  readonly #waiting: Waiting[] = [];

  constructor(channel: AskChannel, turn: () => Awaitable<void>) {
    this.#channel = channel;
    this.#turn = turn;
  }

  get approver(): Approver {
    return this.#channel.approver;
  }

  get resolver(): AskResolver {
    return this.#channel.resolver;
  }

  /** Puts the ask and does not wait until it has arrived. */
  put(ask: PendingAsk, controller: AbortController = new AbortController()): Waiting {
    const { signal } = controller;
    let isOver = false;
    const outcome = outcomeOf(async () => this.resolver.resolve(ask, { signal, isNonInteractive: false }));
    const mark = () => {
      isOver = true;
    };
    outcome.then(mark, mark);
    const waiting: Waiting = {
      ask,
      outcome,
      isOver: () => isOver,
      end: (code) => controller.abort(new PermissionGateError(code, `ask ${ask.id}: ${code}`)),
    };
    this.#waiting.push(waiting);
    return waiting;
  }

  /** Puts the ask and waits until the approver lists it. */
  async park(ask: PendingAsk, controller?: AbortController): Promise<Waiting> {
    const waiting = this.put(ask, controller);
    await this.until(() => this.isListed(ask), `the approver lists ask ${ask.id}`);
    return waiting;
  }

  /** Parks the asks one after the other, so that their order is known. */
  async parkAll(asks: readonly PendingAsk[]): Promise<Waiting[]> {
    const waiting: Waiting[] = [];
    for (const ask of asks) waiting.push(await this.park(ask));
    return waiting;
  }

  outcomeOf(waiting: Waiting): Promise<WaitOutcome> {
    return this.ended(waiting.outcome, `the wait of ask ${waiting.ask.id} ends`);
  }

  next(options?: { signal?: AbortSignal }): Promise<PendingAsk | null> {
    return this.ended(this.approver.nextPending(options), "nextPending() gives something");
  }

  list(): Promise<PendingAsk[]> {
    return this.ended(this.approver.list(), "list() gives something");
  }

  answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    answer: AskResolution | AskAnswer,
    answerId?: string,
  ): Promise<AnswerStatus> {
    const options = answerId === undefined ? undefined : { answerId };
    return this.ended(this.approver.answer(ask, answer, options), `answer() to ask ${ask.id} gives a status`);
  }

  /** Answers by id alone. */
  resolve(id: string, answer: AskResolution | AskAnswer): Promise<boolean> {
    return this.ended(this.approver.resolve(id, answer), `resolve() of ask ${id} gives something`);
  }

  async isListed(ask: PendingAsk): Promise<boolean> {
    return (await this.list()).some(({ id }) => id === ask.id);
  }

  /** Waits until the approver does not list the ask any more. */
  gone(ask: PendingAsk): Promise<void> {
    return this.until(
      async () => !(await this.isListed(ask)),
      `the approver lists ask ${ask.id} no more, since it ended`,
    );
  }

  async turn(): Promise<void> {
    await this.#turn();
  }

  until(holds: () => Awaitable<boolean>, what: string): Promise<void> {
    return waitOn(holds, this.#turn, what);
  }

  async ended<Value>(promise: PromiseLike<Value>, what: string): Promise<Value> {
    let isOver = false;
    const mark = () => {
      isOver = true;
    };
    promise.then(mark, mark);
    await this.until(() => isOver, what);
    return promise;
  }

  /** Cancels what waits still, then closes the channel. */
  async tearDown(): Promise<void> {
    for (const waiting of this.#waiting) waiting.end("ask_cancelled");
    await this.#channel.close?.();
  }
}

async function outcomeOf(resolve: () => Promise<AskResolution | AskAnswer>): Promise<WaitOutcome> {
  let given: AskResolution | AskAnswer;
  try {
    given = await resolve();
  } catch (error) {
    return { code: (error as { code?: string } | undefined)?.code ?? String(error) };
  }
  const { ask_id: _, ...answer } = parseAskAnswer(given);
  return { answer };
}
