import {
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  descriptorDigest,
  descriptorFingerprint,
  type GateDecision,
  type GrantStore,
  isPermissionGateError,
  type JsonValue,
  type PendingAsk,
  type PermissionGateError,
  type PermissionPolicy,
  type PolicyRequest,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import type { DecidedBy } from "../dispatch-recorder.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import { type Ending, hasDeadline, isDeadline, waitFor } from "../wait.js";
import { decisionOf } from "./decision.js";
import { rememberAnswer, rememberableFor } from "./remember.js";
import { canAsk, readAnswer } from "./resolver.js";
import {
  CANCELLED_ASKING,
  deniedBy,
  EXPIRED,
  permissionRequired,
  RESOLVER_ERROR,
  refusal,
  UNAVAILABLE,
} from "./texts.js";

/** A question about a call, and where it comes from: a gate, or a hook of the engine. */
export interface Question {
  prompt: string;
  details?: string | undefined;
  /** whom the model is told to have refused */
  who: "user" | "approver";
  /** what the record names where no answer decided */
  ruleId: string;
  source: "middleware" | "context" | "engine";
  matchedPattern: string | null;
  /** what the model reads where there is nobody to ask; default: by the record */
  unresolvedText?: string;
  resolver: AskResolver | null;
  askTimeoutMs: number | undefined;
  grants: { store: GrantStore; rememberTools: ReadonlySet<string> } | null;
  policy: { policy: PermissionPolicy; request: Omit<PolicyRequest, "mode" | "signal"> } | null;
  configuredAsk: boolean;
  flooredConfiguredAllow: boolean;
  descriptorChanged: boolean;
}

/** How a question ended. An approver may approve another input, which must then be judged like any other. */
export type Answered =
  | { kind: "approved"; rewrite: { input: JsonValue } | null }
  | { kind: "refused"; result: ToolDispatchResult };

/** What an ask says of the tool it is about, captured when it is raised. */
export interface CapturedDescriptor {
  digest: string;
  fingerprint: string;
}

type Raw = AskResolution | AskAnswer;
type Settled = { decision: GateDecision; answer: AskAnswer | null; rewrite: { input: JsonValue } | null };

/**
 * Puts a question and waits for its end, which leaves exactly one record. Fails closed: nobody to ask, an unavailable or
 * failing resolver, nonsense, a deadline and a cancel all refuse.
 */
export async function raiseAsk(question: Question, context: DispatchContext): Promise<Answered> {
  const { facts } = context;
  const { recorder, environment } = facts;
  const refuse = (decision: GateDecision, text?: string): Answered => {
    recorder.record(decision);
    return { kind: "refused", result: refusal(facts.callId, decision, text) };
  };
  const own = (verdict: GateDecision["verdict"], reason: string, source = question.source) =>
    decisionOf(context, verdict, question.ruleId, source, reason, question.matchedPattern);

  /** A call that is over already makes no prompt. */
  const ended = () =>
    isDeadline(context.signal)
      ? refuse(own("ask_expired", EXPIRED, "engine"))
      : refuse(own("cancelled", CANCELLED_ASKING));

  if (context.ended) return ended();
  const { resolver } = question;
  if (!canAsk(resolver, facts.session.isNonInteractive)) {
    return refuse(own("ask_unresolved", permissionRequired(question.prompt)), question.unresolvedText);
  }
  const descriptor = captureDescriptor(context);
  const rememberable = await rememberableFor(question, context);
  if (context.ended) return ended();

  const pending = pendingAsk(question, context, descriptor, rememberable);
  const put = { resolver, pending };
  recorder.asks.push(put);
  environment.onAskParked?.(pending);
  // A denial may be remembered while this question waits.
  facts.state.recalled = null;
  const settled = await waitFor<Raw, Settled>({
    start: (signal) =>
      // Whoever was told of the ask may have called it off: then it makes no prompt.
      signal.aborted
        ? new Promise<never>(() => {})
        : resolver.resolve({ ...pending }, { signal, isNonInteractive: facts.session.isNonInteractive }),
    conclude(ending) {
      const concluded = conclude(ending, question, context);
      put.pending = { ...pending, id: concluded.answer?.ask_id ?? pending.id };
      recorder.record(concluded.decision, decidedBy(put.pending.id, concluded.answer));
      environment.onAskAnswered?.(pending, concluded.decision.verdict, concluded.answer?.decided_by ?? null);
      return concluded;
    },
    signal: context.signal,
    timeoutMs: question.askTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
  if (settled.answer !== null)
    await rememberAnswer(settled.answer, { question, context, descriptor, rememberable });
  const { verdict } = settled.decision;
  if (verdict === "ask_allowed" || verdict === "allow_modified")
    return { kind: "approved", rewrite: settled.rewrite };
  return { kind: "refused", result: refusal(facts.callId, settled.decision) };
}

/** Data in, data out: what the end of a wait means. */
function conclude(ending: Ending<Raw>, question: Question, context: DispatchContext): Settled {
  const own = (verdict: GateDecision["verdict"], reason: string, source: GateDecision["rule_source"]) => ({
    decision: decisionOf(context, verdict, question.ruleId, source, reason, question.matchedPattern),
    answer: null,
    rewrite: null,
  });
  const refused = (reason: string, answer: AskAnswer | null = null): Settled => ({
    decision: decisionOf(context, "ask_denied", "ask", "ask_resolver", reason),
    answer,
    rewrite: null,
  });
  switch (ending.kind) {
    case "cancelled":
      return own("cancelled", CANCELLED_ASKING, question.source);
    case "expired":
      return own("ask_expired", EXPIRED, "engine");
    case "thrown": {
      if (isUnavailable(ending.error)) {
        reportUnavailable(context, ending.error);
        return refused(UNAVAILABLE);
      }
      // A deadline within a composition of resolvers: nobody answered in time.
      if (isPermissionGateError(ending.error, "ask_expired")) return own("ask_expired", EXPIRED, "engine");
      reportResolver(context, ending.error);
      return refused(RESOLVER_ERROR);
    }
    case "value": {
      const answer = readAnswer(ending.value);
      if (answer === null) {
        reportResolver(context, "It gave no answer of a known form.");
        return refused(RESOLVER_ERROR);
      }
      if (answer.resolution === "Deny") return refused(deniedBy(question.who, answer.reason), answer);
      if (answer.modified_input === undefined) {
        return { decision: decisionOf(context, "ask_allowed", "ask", "ask_resolver"), answer, rewrite: null };
      }
      return {
        decision: decisionOf(context, "allow_modified", "ask", "ask_resolver"),
        answer,
        rewrite: { input: answer.modified_input },
      };
    }
  }
}

/** Whether the question was put to nobody. */
function isUnavailable(error: unknown): error is PermissionGateError {
  return isPermissionGateError(error, "ask_unavailable") || isPermissionGateError(error, "already_waiting");
}

/** The model and the record are told no more than that: what failed may name hosts. */
function reportUnavailable(context: DispatchContext, cause: PermissionGateError): void {
  context.facts.environment.onReport({
    level: "warn",
    message: `Nobody could be asked about a call of tool '${context.toolName}'; the call is denied: ${messageOf(cause)}`,
    cause,
  });
}

/** What a resolver rejects with may be built to be unreadable. */
function messageOf(error: PermissionGateError): string {
  try {
    return String(error.message);
  } catch {
    return "its message cannot be read";
  }
}

function reportResolver(context: DispatchContext, cause: unknown): void {
  context.facts.environment.onReport({
    level: "error",
    message: `The ask resolver failed on a call of tool '${context.toolName}'; the call is denied.`,
    cause,
  });
}

function decidedBy(askId: string, answer: AskAnswer | null): DecidedBy {
  return { askId, decidedBy: answer?.decided_by ?? null };
}

function captureDescriptor(context: DispatchContext): CapturedDescriptor | null {
  const { tool } = context.facts;
  return tool === null ? null : { digest: descriptorDigest(tool), fingerprint: descriptorFingerprint(tool) };
}

function pendingAsk(
  question: Question,
  context: DispatchContext,
  descriptor: CapturedDescriptor | null,
  rememberable: NonNullable<PendingAsk["rememberable"]>,
): PendingAsk {
  const { facts } = context;
  const { session, environment } = facts;
  const pending: PendingAsk = {
    id: environment.ids.uuid(),
    session_id: session.sessionId,
    run_id: session.runId,
    turn: facts.turn,
    call_id: facts.callId,
    tool: facts.toolName,
    args_digest: context.inputDigest(),
    prompt: question.prompt,
  };
  if (question.details !== undefined) pending.details = question.details;
  const expiresAtMs = expiryOf(question.askTimeoutMs, environment.clock.now());
  if (expiresAtMs !== null) pending.expires_at_ms = expiresAtMs;
  if (descriptor !== null) pending.descriptor_digest = descriptor.digest;
  if (question.descriptorChanged) pending.descriptor_changed = true;
  if (session.agent !== undefined) pending.agent = session.agent;
  if (question.configuredAsk) pending.configured_ask = true;
  if (question.flooredConfiguredAllow) pending.floored_configured_allow = true;
  if (rememberable.length > 0) pending.rememberable = [...rememberable];
  return pending;
}

/** Unix ms, rounded up to a whole one; null for no deadline, and for one beyond what a record can hold. */
function expiryOf(timeoutMs: number | undefined, nowMs: number): number | null {
  if (!hasDeadline(timeoutMs)) return null;
  const expiresAtMs = Math.ceil(nowMs + timeoutMs);
  return Number.isSafeInteger(expiresAtMs) ? expiresAtMs : null;
}
