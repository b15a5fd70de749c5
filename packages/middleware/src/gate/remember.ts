import {
  type AskAnswer,
  type Awaitable,
  createGrant,
  descriptorDigest,
  descriptorFingerprint,
  type GrantScope,
  type GrantStore,
  NIL_UUID,
  type Remember,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { waitFor } from "../wait.js";
import type { CapturedDescriptor, Question } from "./raise-ask.js";

/**
 * Which ways of remembering an answer can be kept: a rule for the session where the policy can learn one, this exact call
 * where its value says all that the model wrote, and the whole tool where the host named it.
 */
export async function rememberableFor(question: Question, context: DispatchContext): Promise<Remember[]> {
  const { grants, policy } = question;
  const offers: Remember[] = [];
  if (policy !== null && context.facts.session.sessionId !== NIL_UUID) {
    const rule = await attempt(context, "A policy could not say what it can learn", () =>
      policy.policy.learnable(policy.request),
    );
    if (rule !== undefined && rule !== null) offers.push("session");
  }
  if (grants !== null && !context.facts.recorder.failedStores.has(grants.store)) {
    if (!context.spelledBeyondValue) offers.push("this_call");
    if (grants.rememberTools.has(context.toolName) && !question.configuredAsk) offers.push("this_tool");
  }
  return offers;
}

/** Keeps an answer, if it asks for that. Whatever fails is reported: the call goes by the answer all the same. */
export async function rememberAnswer(
  answer: AskAnswer,
  asked: {
    question: Question;
    context: DispatchContext;
    descriptor: CapturedDescriptor | null;
    rememberable: readonly Remember[];
  },
): Promise<void> {
  const { question, context, descriptor, rememberable } = asked;
  const { remember } = answer;
  if (remember === undefined) return;
  const notKept = (why: string) =>
    context.facts.environment.onReport({
      level: "warn",
      message: `An answer about tool '${context.toolName}' was not remembered: ${why}.`,
    });
  if (!rememberable.includes(remember)) return notKept(`'${remember}' was not on offer`);
  if (remember === "session") {
    if (answer.remember_until_ms !== undefined)
      return notKept("a rule for the session has no end of its own");
    if (question.policy === null) return;
    const { policy, request } = question.policy;
    const rule = await attempt(context, "A policy could not learn an answer", () => policy.learn(request));
    if (rule === null) notKept("the policy learned nothing");
    return;
  }
  if (question.grants === null) return;
  if (!sameDescriptor(descriptor, context))
    return notKept("the tool's descriptor changed while the question waited");
  await saveGrant(answer, remember, question.grants.store, context, descriptor);
}

async function saveGrant(
  answer: AskAnswer,
  remember: Exclude<Remember, "session">,
  store: GrantStore,
  context: DispatchContext,
  descriptor: CapturedDescriptor | null,
): Promise<void> {
  const scope: GrantScope = remember === "this_tool" ? "this_tool" : { this_call: { args: context.input } };
  const verdict = answer.resolution === "Approve" ? "Allow" : "Deny";
  const grant = createGrant(context.toolName, verdict, scope, {
    createdAtMs: context.facts.environment.clock.now(),
    ...(descriptor === null
      ? undefined
      : { pinnedDescriptor: descriptor.digest, pinnedFingerprint: descriptor.fingerprint }),
    ...(answer.remember_until_ms === undefined ? undefined : { expiresAtMs: answer.remember_until_ms }),
    ...(answer.decided_by === undefined ? undefined : { grantedBy: answer.decided_by }),
  });
  await attempt(context, "A grant could not be saved", () => store.save(grant));
}

/** A tool may have been replaced by another of its name while the question waited. */
function sameDescriptor(captured: CapturedDescriptor | null, context: DispatchContext): boolean {
  const current = context.facts.currentTool();
  if (captured === null || current === null) return captured === null && current === null;
  return (
    descriptorDigest(current) === captured.digest && descriptorFingerprint(current) === captured.fingerprint
  );
}

/** Does what a store or a policy of somebody else's must do, in bounded time; undefined where it failed, which is reported. */
function attempt<T>(
  context: DispatchContext,
  failure: string,
  start: () => Awaitable<T>,
): Promise<T | undefined> {
  const { environment, recorder, toolName } = context.facts;
  return waitFor<T, T | undefined>({
    start,
    conclude(ending) {
      if (ending.kind === "value") return ending.value;
      if (ending.kind !== "cancelled") {
        environment.onReport({
          level: "error",
          message: `${failure} for a call of tool '${toolName}'.`,
          cause: ending.kind === "thrown" ? ending.error : "It took too long.",
        });
      }
      return undefined;
    },
    signal: context.signal,
    timeoutMs: environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}
