import type { GateDecision, GateEvent, PendingAsk } from "@x/permission-core";
import { describe, expect, expectTypeOf, it } from "vitest";
import type {
  AskAnsweredEvent,
  EngineObserver,
  ToolPostEvent,
  ToolPreEvent,
} from "../../src/engine/observer.js";
import * as testing from "../../src/testing/index.js";

const about = { session_id: "s", run_id: "r", agent: null, call_id: "c", turn: 1 };
const pre: ToolPreEvent = { ...about, tool: "t", args_digest: "0", ts: 1 };
const ask: PendingAsk = { id: "a", ...about, agent: "main", tool: "t", args_digest: "0", prompt: "Run t?" };
const answered: AskAnsweredEvent = {
  ask_id: "a",
  ...about,
  tool: "t",
  verdict: "ask_allowed",
  decided_by: null,
  ts: 2,
};
const decision: GateDecision = {
  tool: "t",
  args_digest: "0",
  verdict: "ask_allowed",
  rule_id: "ask",
  rule_source: "ask_resolver",
  matched_pattern: null,
  reason: null,
  ts: 2,
};
const gate: GateEvent = {
  ...about,
  decision,
  trail: [decision],
  effective_args_digest: "0",
  ask_id: "a",
  decided_by: null,
};
const post: ToolPostEvent = { ...about, tool: "t", outcome: "completed", duration_ms: 1, ts: 3 };

function observed(): testing.RecordingObserver {
  const observer = testing.recordingObserver();
  observer.onToolPre(pre, { input: null });
  observer.onAskParked({ ask, ts: 1 });
  observer.onAskAnswered(answered);
  observer.onGateDecision(gate);
  observer.onToolPost(post, { result: null });
  return observer;
}

describe("@x/middleware/testing", () => {
  it("exports what tests of gated tools need, and no more", () => {
    expect(Object.keys(testing).sort()).toEqual([
      "ManualClock",
      "recordingObserver",
      "scriptedResolver",
      "sequentialIds",
    ]);
  });
});

describe("recordingObserver", () => {
  it("remembers events in order, with their names and the decisions among them", () => {
    const observer = observed();
    expectTypeOf(observer).toExtend<EngineObserver>();
    expect(observer.events).toEqual([
      { type: "tool_pre", event: pre },
      { type: "ask_parked", event: { ask, ts: 1 } },
      { type: "ask_answered", event: answered },
      { type: "gate_decision", event: gate },
      { type: "tool_post", event: post },
    ]);
    expect(observer.names).toEqual(["tool_pre", "ask_parked", "ask_answered", "gate_decision", "tool_post"]);
    expect(observer.decisions).toEqual([decision]);
  });

  it("forgets everything when cleared, also through a reference taken before", () => {
    const observer = observed();
    const { events } = observer;
    observer.clear();
    expect([events, observer.names, observer.decisions]).toEqual([[], [], []]);
    observer.onToolPre(pre, { input: null });
    expect(observer.names).toEqual(["tool_pre"]);
  });

  it("keeps an event as it was when it came", () => {
    const observer = testing.recordingObserver();
    const event = structuredClone(gate);
    observer.onGateDecision(event);
    event.decision.ts = 99;
    expect(observer.decisions[0]?.ts).toBe(2);
  });
});
