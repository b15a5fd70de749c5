import { SpanKind, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import { checkCount } from "../check-option.js";
import type { EngineObserver } from "../engine/observer.js";
import { OpenSpans } from "./open-spans.js";
import { answerAttributes, askAttributes, callAttributes, decisionAttributes } from "./span-attributes.js";

export interface OtelObserverOptions {
  /** default: the tracer `@x/middleware` of the provider that is registered when a call begins */
  tracer?: Tracer;
  /** Calls that may be in flight at once; beyond, the oldest span is ended as abandoned. Default 10,000. */
  maxOpenSpans?: number;
}

/**
 * An observer that gives every dispatch a span `execute_tool <tool>`, from its begin to its end, as a child of the span that
 * is active where `dispatch` is called. Questions and the decision are events of it; the decision's verdict, rule and digests
 * are attributes too. Only a call that failed has the status of an error, with its kind as `error.type`: a refusal is what
 * the gate is for. Throws `invalid_option`.
 */
export function otelObserver({ tracer, maxOpenSpans = 10_000 }: OtelObserverOptions = {}): EngineObserver {
  checkCount("maxOpenSpans", maxOpenSpans);
  const spans = new OpenSpans(maxOpenSpans);
  return {
    onToolPre(event) {
      const span = (tracer ?? trace.getTracer("@x/middleware")).startSpan(`execute_tool ${event.tool}`, {
        kind: SpanKind.INTERNAL,
        attributes: callAttributes(event),
      });
      const abandoned = spans.add(event, span);
      abandoned?.setAttribute("permission_gate.abandoned", true).end();
    },
    onAskParked({ ask }) {
      spans.get(ask)?.addEvent("permission_gate.ask_parked", askAttributes(ask));
    },
    onAskAnswered(event) {
      spans.get(event)?.addEvent("permission_gate.ask_answered", answerAttributes(event));
    },
    onGateDecision(event) {
      const attributes = decisionAttributes(event);
      spans.get(event)?.setAttributes(attributes).addEvent("permission_gate.decision", attributes);
    },
    onToolPost(event, call) {
      const span = spans.take(event);
      if (span === undefined) return;
      span.setAttribute("permission_gate.outcome", event.outcome);
      if (event.outcome === "failed") {
        // The message would be the tool's own, and may quote what it was given.
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttribute("error.type", call.result?.errorKind ?? "_OTHER");
      }
      span.end();
    },
  };
}
