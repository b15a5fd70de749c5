import type { AskAnswer, AskResolution, AskResolver, DispatchOutcome, PendingAsk } from "@x/permission-core";
import { offerDirect } from "./ask-sink.js";
import type { ChannelHub, ChannelLoad } from "./channel-hub.js";

/** The asking side of an in-process channel. */
export class ChannelResolver implements AskResolver {
  readonly interactive: boolean;
  readonly #hub: ChannelHub;

  constructor(hub: ChannelHub, interactive: boolean) {
    this.#hub = hub;
    this.interactive = interactive;
    offerDirect(this, (pending, context, sink) => hub.put(pending, context.signal, sink));
  }

  /**
   * Parks the ask until it is answered. Rejects with `signal.reason` when that aborts first; with code
   * `ask_unavailable` when an ask of this id waits already, or after `close()`. A closed approver answers "Deny".
   */
  resolve(pending: PendingAsk, context: { signal: AbortSignal }): Promise<AskResolution | AskAnswer> {
    return this.#hub.park(pending, context.signal);
  }

  settled(pending: PendingAsk, outcome: DispatchOutcome): void {
    this.#hub.settled(pending.id, outcome);
  }

  /** What the channel holds now, for a host that slows down while asks wait for room. */
  load(): ChannelLoad {
    return this.#hub.load();
  }

  /** Parks nothing more. What waits can still be answered; `nextPending` gives null once everything was delivered. */
  async close(): Promise<void> {
    this.#hub.closeResolver();
  }
}
