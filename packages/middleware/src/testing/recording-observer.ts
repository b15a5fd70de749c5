import type { GateDecision, GateEvent, PendingAsk } from "@x/permission-core";
import type { AskAnsweredEvent, EngineObserver, ToolPostEvent, ToolPreEvent } from "../engine/observer.js";

/** An event as an observer got it. Arguments and outputs are not part of one. */
export type RecordedEvent =
  | { type: "tool_pre"; event: ToolPreEvent }
  | { type: "ask_parked"; event: { ask: PendingAsk; ts: number } }
  | { type: "ask_answered"; event: AskAnsweredEvent }
  | { type: "gate_decision"; event: GateEvent }
  | { type: "tool_post"; event: ToolPostEvent };

export interface RecordingObserver extends Required<EngineObserver> {
  /** every event so far, in order, as it was at that moment */
  readonly events: readonly RecordedEvent[];
  /** the types of the events, in order */
  readonly names: RecordedEvent["type"][];
  /** the deciding record of every dispatch that had one, in order */
  readonly decisions: GateDecision[];
  /** Forgets everything so far. */
  clear(): void;
}

/** An observer that remembers what an engine told it, for tests to look at. */
export function recordingObserver(): RecordingObserver {
  const events: RecordedEvent[] = [];
  const remember = (recorded: RecordedEvent) => void events.push(structuredClone(recorded));
  return {
    events,
    get names() {
      return events.map(({ type }) => type);
    },
    get decisions() {
      return events.flatMap(({ type, event }) => (type === "gate_decision" ? [event.decision] : []));
    },
    clear: () => void events.splice(0),
    onToolPre: (event) => remember({ type: "tool_pre", event }),
    onAskParked: (event) => remember({ type: "ask_parked", event }),
    onAskAnswered: (event) => remember({ type: "ask_answered", event }),
    onGateDecision: (event) => remember({ type: "gate_decision", event }),
    onToolPost: (event) => remember({ type: "tool_post", event }),
  };
}
