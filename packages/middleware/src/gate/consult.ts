import type { Awaitable, PermissionCheck, PermissionMode, PolicyRequest } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { isPromiseLike } from "../is-promise.js";
import { memberGetter } from "../member-getter.js";
import { waitFor } from "../wait.js";
import { copyCheck } from "./copy-check.js";
import { type CheckFunction, type GateSettings, ownId } from "./gate-settings.js";
import {
  claimVerdict,
  failedVerdict,
  plainVerdict,
  policyVerdict,
  stricter,
  type Verdict,
} from "./verdict.js";

/** A verdict, or that the call was cancelled while somebody was still deciding. */
export type Consultation = { kind: "verdict"; verdict: Verdict } | { kind: "cancelled" };

const DENY_ALL = plainVerdict({ kind: "deny", reason: "blocked by policy" }, "middleware", "middleware");
const ALLOW_ALL = plainVerdict({ kind: "allow" }, "middleware", "middleware");

/**
 * Asks every source of a gate that has a say on this tool, and gives the strictest answer. Synchronous as long as they
 * are; else cancel and `checkTimeoutMs` bound the wait. A source that throws, rejects, takes too long or gives no decision
 * denies.
 */
export function consult(settings: GateSettings, context: DispatchContext): Verdict | Promise<Consultation> {
  const { check, toolChecks, policy, preset } = settings;
  const answers = new Answers();
  if (check !== null) answers.add(answerOf(ownId(settings), check.run, ownVerdict, context));
  if (toolChecks.has(context.toolName)) {
    answers.add(answerOf("middleware", toolCheckOf(settings, context.toolName), ownVerdict, context));
  }
  const hasCheck = check !== null || toolChecks.has(context.toolName);
  if (!hasCheck && preset !== "context") answers.add(preset === "deny" ? DENY_ALL : ALLOW_ALL);
  if (policy !== null) answers.add(policyAnswer(policy, context));
  // Last, so that on a tie with the claim the policy's rule stands in the record.
  if (!hasCheck && preset === "context") answers.add(claimVerdict(context.permission));
  const { strictest, pending } = answers;
  if (pending !== null && strictest?.check.kind !== "deny")
    return consultLater(settings, context, strictest, pending);
  return strictest ?? failedVerdict("middleware");
}

/** What the sources of a gate have said. */
class Answers {
  /** of those that answered at once */
  strictest: Verdict | null = null;
  pending: Promise<Verdict>[] | null = null;

  add(answer: Verdict | Promise<Verdict>): void {
    if (isPromiseLike(answer)) {
      this.pending ??= [];
      this.pending.push(answer);
    } else {
      this.strictest = this.strictest === null ? answer : stricter(this.strictest, answer);
    }
  }
}

function consultLater(
  settings: GateSettings,
  context: DispatchContext,
  ready: Verdict | null,
  pending: Promise<Verdict>[],
): Promise<Consultation> {
  const { environment, recorder, state, toolName } = context.facts;
  // A denial may be remembered meanwhile.
  state.recalled = null;
  return waitFor<Verdict[], Consultation>({
    start: () => Promise.all(pending),
    conclude(ending) {
      if (ending.kind === "cancelled") return { kind: "cancelled" };
      if (ending.kind === "value") {
        const verdicts = ready === null ? ending.value : [ready, ...ending.value];
        return { kind: "verdict", verdict: verdicts.reduce(stricter) };
      }
      environment.onReport({
        level: "error",
        message: `A check or policy of tool '${toolName}' did not answer in time; the call is denied.`,
      });
      return { kind: "verdict", verdict: failedVerdict(ownId(settings)) };
    },
    signal: context.signal,
    timeoutMs: settings.checkTimeoutMs ?? environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}

function ownVerdict(answer: unknown, ruleId: string): Verdict {
  const check = copyCheck(answer);
  if (check !== null) return plainVerdict(check, ruleId, "middleware");
  throw new TypeError(
    "A check must give { kind: 'allow' | 'deny' | 'ask' | 'modify', … } with what goes with it.",
  );
}

function toolCheckOf({ toolChecks }: GateSettings, toolName: string): CheckFunction {
  const toolCheck = toolChecks.get(toolName);
  return typeof toolCheck === "function"
    ? (context) => toolCheck(context.input as never, context)
    : () => toolCheck as PermissionCheck;
}

function policyAnswer(
  policy: NonNullable<GateSettings["policy"]>,
  context: DispatchContext,
): Verdict | Promise<Verdict> {
  let mode: PermissionMode = "default";
  const evaluate = () => {
    mode = typeof policy.mode === "function" ? policy.mode() : (policy.mode ?? "default");
    return policy.policy.evaluate(new EvaluationRequest(policyRequest(policy, context), mode, context));
  };
  const verdict = (answer: unknown) => policyVerdict(answer, mode);
  return answerOf("middleware", evaluate, verdict, context);
}

/** What a policy evaluates; the signal is made when it is read. */
class EvaluationRequest implements PolicyRequest {
  static readonly #SIGNAL = memberGetter(EvaluationRequest.prototype, "signal");
  declare readonly sessionId: string;
  declare readonly call: PolicyRequest["call"];
  declare readonly audience: PolicyRequest["audience"];
  readonly mode: PermissionMode;
  readonly #context: DispatchContext;

  constructor(
    request: Omit<PolicyRequest, "mode" | "signal">,
    mode: PermissionMode,
    context: DispatchContext,
  ) {
    Object.assign(this, request);
    this.mode = mode;
    this.#context = context;
    Object.defineProperty(this, "signal", EvaluationRequest.#SIGNAL);
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }
}

/** What a policy is told of a call. */
export function policyRequest(
  policy: NonNullable<GateSettings["policy"]>,
  context: DispatchContext,
): Omit<PolicyRequest, "mode" | "signal"> {
  const { tool } = context.facts;
  return {
    sessionId: context.facts.session.sessionId,
    audience: policy.audience ?? "main",
    call: {
      tool: context.toolName,
      input: context.input,
      ...(tool === null ? undefined : { readOnly: tool.readOnly ?? false }),
      ...(tool?.kind === undefined ? undefined : { kind: tool.kind }),
    },
    ...(policy.workspace === undefined ? undefined : { workspace: policy.workspace }),
  };
}

/** Runs one source, and makes its verdict of what it gives. */
function answerOf(
  ruleId: string,
  run: (context: DispatchContext) => Awaitable<unknown>,
  verdict: (answer: unknown, ruleId: string) => Verdict,
  context: DispatchContext,
): Verdict | Promise<Verdict> {
  try {
    const answer: unknown = run(context);
    return isPromiseLike(answer) ? answerLater(ruleId, answer, verdict, context) : verdict(answer, ruleId);
  } catch (error) {
    return failed(ruleId, error, context);
  }
}

function answerLater(
  ruleId: string,
  answer: PromiseLike<unknown>,
  verdict: (answer: unknown, ruleId: string) => Verdict,
  context: DispatchContext,
): Promise<Verdict> {
  return Promise.resolve(answer)
    .then((value) => verdict(value, ruleId))
    .catch((error: unknown) => failed(ruleId, error, context));
}

function failed(ruleId: string, cause: unknown, context: DispatchContext): Verdict {
  context.facts.environment.onReport({
    level: "error",
    message: `A check or policy of tool '${context.toolName}' failed; the call is denied.`,
    cause,
  });
  return failedVerdict(ruleId);
}
