import type { PendingAsk } from "@x/permission-core";
import type { ApproverCommand, ApproverEvent, ApproverOptions, Given } from "../../src/protocol.js";
import { Program } from "./processes.js";
import { until } from "./until.js";

/** A process with an approver, which answers as it is told, or by itself. */
export class ApproverProcess {
  /** in the order in which they were shown; empty for one that answers by itself */
  readonly shown: PendingAsk[] = [];
  readonly given: Given[] = [];
  readonly #program: Program<ApproverCommand>;
  #isReady = false;

  private constructor(options: ApproverOptions) {
    this.#program = new Program("approver", options, (event: ApproverEvent) => this.#onEvent(event));
  }

  /** Fulfils when it takes commands. */
  static async start(options: ApproverOptions): Promise<ApproverProcess> {
    const approver = new ApproverProcess(options);
    await approver.#program.ready(() => approver.#isReady);
    return approver;
  }

  /** The ask about a call. Fulfils when it was shown. */
  async ask(callId: string): Promise<PendingAsk> {
    await until(() => this.shown.some(({ call_id }) => call_id === callId), `${callId} is shown`);
    return this.shown.find(({ call_id }) => call_id === callId) as PendingAsk;
  }

  /** What it read. One answer at a time. */
  async answer(
    ask: Pick<PendingAsk, "id" | "args_digest">,
    resolution: "Approve" | "Deny",
    answerId?: string,
  ): Promise<string> {
    const before = this.given.length;
    const { id, args_digest } = ask;
    const told = { do: "answer", ask: { id, args_digest }, resolution } as const;
    this.#program.tell(answerId === undefined ? told : { ...told, answerId });
    await until(() => this.given.length > before, "the answer is given");
    const last = this.given.at(-1);
    return last?.status ?? `rejected: ${last?.code}`;
  }

  async stop(): Promise<Given[]> {
    await this.#program.stop({ do: "stop" });
    return this.given;
  }

  #onEvent(event: ApproverEvent): void {
    if (event.event === "ready") this.#isReady = true;
    else if (event.event === "shown") this.shown.push(event.ask);
    else if (event.event === "given") this.given.push(event);
    else this.given.push(...event.given);
  }
}
