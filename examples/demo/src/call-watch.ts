import type { EngineObserver } from "@x/middleware";
import type { GateEvent, PendingAsk } from "@x/permission-core";

/** Remembers what an engine announced of its latest call. Calls must come one after the other. */
export class CallWatch implements EngineObserver {
  ask: PendingAsk | null = null;
  event: GateEvent | null = null;

  onToolPre(): void {
    this.ask = null;
    this.event = null;
  }

  onAskParked({ ask }: { ask: PendingAsk }): void {
    this.ask = ask;
  }

  onGateDecision(event: GateEvent): void {
    this.event = event;
  }
}
