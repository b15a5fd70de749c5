import type { AskAnswer, AskResolution, AskResolver, DispatchOutcome, PendingAsk } from "@x/permission-core";
import { PermissionGateError } from "@x/permission-core";

/** A member that answers when the test says so, and keeps what it was asked and told. */
export class HeldMember implements AskResolver {
  readonly interactive: boolean;
  readonly asks: PendingAsk[] = [];
  readonly signals: AbortSignal[] = [];
  readonly told: [id: string, outcome: DispatchOutcome][] = [];
  #settle: { resolve: (answer: AskResolution | AskAnswer) => void; reject: (error: unknown) => void }[] = [];

  constructor(interactive = false) {
    this.interactive = interactive;
  }

  resolve(pending: PendingAsk, { signal }: { signal: AbortSignal }): Promise<AskResolution | AskAnswer> {
    this.asks.push(pending);
    this.signals.push(signal);
    return new Promise((resolve, reject) => this.#settle.push({ resolve, reject }));
  }

  settled(pending: PendingAsk, outcome: DispatchOutcome): void {
    this.told.push([pending.id, outcome]);
  }

  get isAsked(): boolean {
    return this.asks.length > 0;
  }

  /** The code of the reason that its latest signal fired with; null where it did not fire. */
  get calledOff(): string | null {
    const signal = this.signals.at(-1);
    return signal?.aborted ? (signal.reason.code ?? String(signal.reason)) : null;
  }

  /** Gives anything, an answer or not, to the latest ask. */
  give(value: unknown): void {
    this.#settle.at(-1)?.resolve(value as AskResolution);
  }

  fail(error: unknown): void {
    this.#settle.at(-1)?.reject(error);
  }

  failWith(code: "ask_unavailable" | "ask_expired"): void {
    this.fail(new PermissionGateError(code, code));
  }
}

export function unavailableMember(): AskResolver {
  return {
    interactive: false,
    resolve() {
      throw new PermissionGateError("ask_unavailable", "nobody is there");
    },
  };
}

/** Lets everything that is due in this turn of the loop happen. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
