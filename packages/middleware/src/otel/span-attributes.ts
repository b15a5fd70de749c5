import type { Attributes } from "@opentelemetry/api";
import type { GateEvent, PendingAsk } from "@x/permission-core";
import type { AskAnsweredEvent, ToolPreEvent } from "../engine/observer.js";

// Names beginning with `gen_ai` are OpenTelemetry's for calls of tools by models. Arguments, outputs, prompts, reasons and
// patterns are in none: they hold what the user, the model or an approver wrote.

export function callAttributes(event: ToolPreEvent): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": event.tool,
    "gen_ai.tool.type": "function",
    "gen_ai.tool.call.id": event.call_id,
    "gen_ai.conversation.id": event.session_id,
    ...(event.agent === null ? undefined : { "gen_ai.agent.name": event.agent }),
    "permission_gate.run_id": event.run_id,
    "permission_gate.turn": event.turn,
    "permission_gate.args_digest": event.args_digest,
  };
}

export function askAttributes(ask: PendingAsk): Attributes {
  return {
    "permission_gate.ask_id": ask.id,
    "permission_gate.args_digest": ask.args_digest,
    ...(ask.configured_ask === undefined
      ? undefined
      : { "permission_gate.configured_ask": ask.configured_ask }),
    ...(ask.expires_at_ms === undefined
      ? undefined
      : { "permission_gate.ask_expires_at_ms": ask.expires_at_ms }),
  };
}

export function answerAttributes({ ask_id, verdict }: AskAnsweredEvent): Attributes {
  return { "permission_gate.ask_id": ask_id, "permission_gate.verdict": verdict };
}

export function decisionAttributes({ decision, effective_args_digest, ask_id }: GateEvent): Attributes {
  return {
    "permission_gate.verdict": decision.verdict,
    "permission_gate.rule_id": decision.rule_id,
    "permission_gate.rule_source": decision.rule_source,
    ...(effective_args_digest === null
      ? undefined
      : { "permission_gate.effective_args_digest": effective_args_digest }),
    ...(ask_id === null ? undefined : { "permission_gate.ask_id": ask_id }),
  };
}
