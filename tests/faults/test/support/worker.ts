import type { Ending, WorkerCommand, WorkerEvent, WorkerOptions } from "../../src/protocol.js";
import { Program } from "./processes.js";
import { until } from "./until.js";

/** A process with a gate, which makes the calls that it is told to make. */
export class Worker {
  /** in order; a call that ended twice is there twice */
  readonly endings: Ending[] = [];
  readonly reports: string[] = [];
  /** how often the connection that listens was lost, or could not be made again */
  reconnections = 0;
  readonly #program: Program<WorkerCommand>;
  #called = 0;
  #isReady = false;

  private constructor(options: WorkerOptions) {
    this.#program = new Program("worker", options, (event: WorkerEvent) => this.#onEvent(event));
  }

  /** Fulfils when it takes calls. */
  static async start(options: WorkerOptions): Promise<Worker> {
    const worker = new Worker(options);
    await worker.#program.ready(() => worker.#isReady);
    return worker;
  }

  /** How many calls have not ended. */
  get waiting(): number {
    return this.#called - this.endings.length;
  }

  call(callIds: readonly string[], askTimeoutMs = 0): void {
    this.#called += callIds.length;
    this.#program.tell({ do: "call", callIds: [...callIds], askTimeoutMs });
  }

  cancel(callId: string): void {
    this.#program.tell({ do: "cancel", callId });
  }

  finish(): void {
    this.#program.tell({ do: "finish" });
  }

  /** The one ending of a call. Fulfils when it has come. */
  async ending(callId: string): Promise<Ending> {
    await until(() => this.endings.some((ending) => ending.callId === callId), `the call ${callId} ends`);
    const [ending, ...more] = this.endings.filter((each) => each.callId === callId);
    if (ending === undefined || more.length > 0) throw new Error(`the call ${callId} ended more than once`);
    return ending;
  }

  /** Fulfils when every call has ended. */
  async allEnded(ms?: number): Promise<Ending[]> {
    await until(() => this.waiting <= 0, "every call of the worker ends", ms);
    return this.endings;
  }

  /** Fulfils when it stands still. */
  pause(): Promise<void> {
    return this.#program.pause();
  }

  resume(): void {
    this.#program.resume();
  }

  kill(): Promise<void> {
    return this.#program.kill();
  }

  /** Fulfils when it has ended by whatever it was killed by. */
  died(): Promise<NodeJS.Signals | null> {
    return this.#program.ended();
  }

  stop(): Promise<void> {
    return this.#program.stop({ do: "stop" });
  }

  #onEvent(event: WorkerEvent): void {
    if (event.event === "ready") this.#isReady = true;
    else if (event.event === "reconnecting") this.reconnections += 1;
    else if (event.event === "report") this.reports.push(event.message);
    else this.endings.push(event);
  }
}
