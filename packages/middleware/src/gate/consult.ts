import type { Awaitable, PermissionMode, PolicyRequest } from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { isPromiseLike } from "../is-promise.js";
import { waitFor } from "../wait.js";
import { type GateSettings, ownId } from "./gate-settings.js";
import {
  checkVerdict,
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
 * are; else cancel and `checkTimeoutMs` bound the wait. A source that throws, rejects, takes
 * too long or gives no decision denies.
 */
export function consult(settings: GateSettings, context: DispatchContext): Verdict | Promise<Consultation> {
  let strictest: Verdict | null = null;
  let pending: Promise<Verdict>[] | null = null;
  for (const source of sourcesFor(settings, context)) {
    const answer = answerOf(source, context);
    if (isPromiseLike(answer)) {
      pending ??= [];
      pending.push(answer);
    } else {
      strictest = strictest === null ? answer : stricter(strictest, answer);
    }
  }
  if (pending !== null && strictest?.check.kind !== "deny")
    return consultLater(settings, context, strictest, pending);
  return strictest ?? failedVerdict("middleware");
}

function consultLater(
  settings: GateSettings,
  context: DispatchContext,
  ready: Verdict | null,
  pending: Promise<Verdict>[],
): Promise<Consultation> {
  const { environment, recorder, toolName } = context.facts;
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
        message: `A permission check of tool '${toolName}' did not answer in time; the call is denied.`,
      });
      return { kind: "verdict", verdict: failedVerdict(ownId(settings)) };
    },
    signal: context.signal,
    timeoutMs: settings.checkTimeoutMs ?? environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}

/** Something that has a say: it runs, and its verdict is made of what it gives. */
interface Source {
  ruleId: string;
  run(): Awaitable<unknown>;
  verdict(answer: never): Verdict;
}

function sourcesFor(settings: GateSettings, context: DispatchContext): readonly (Source | Verdict)[] {
  const { check, policy, preset } = settings;
  const sources: (Source | Verdict)[] = [];
  if (check !== null) {
    sources.push(checkSource(ownId(settings), () => check.run(context)));
  }
  if (settings.toolChecks.has(context.toolName)) {
    const toolCheck = settings.toolChecks.get(context.toolName);
    const run =
      typeof toolCheck === "function" ? () => toolCheck(context.input as never, context) : () => toolCheck;
    sources.push(checkSource("middleware", run));
  }
  const hasCheck = sources.length > 0;
  if (!hasCheck && preset !== "context") sources.push(preset === "deny" ? DENY_ALL : ALLOW_ALL);
  if (policy !== null) sources.push(policySource(policy, context));
  // Last, so that on a tie with the claim the policy's rule stands in the record.
  if (!hasCheck && preset === "context") {
    sources.push(checkVerdict(context.permission, "context", "context"));
  }
  return sources;
}

function checkSource(ruleId: string, run: () => Awaitable<unknown>): Source {
  return { ruleId, run, verdict: (answer) => checkVerdict(answer, ruleId, "middleware") };
}

function policySource(policy: NonNullable<GateSettings["policy"]>, context: DispatchContext): Source {
  let mode: PermissionMode = "default";
  return {
    ruleId: "middleware",
    run() {
      mode = typeof policy.mode === "function" ? policy.mode() : (policy.mode ?? "default");
      return policy.policy.evaluate({
        ...policyRequest(policy, context),
        mode,
        get signal() {
          return context.signal;
        },
      });
    },
    verdict: (answer) => policyVerdict(answer, mode),
  };
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

function answerOf(source: Source | Verdict, context: DispatchContext): Verdict | Promise<Verdict> {
  if ("check" in source) return source;
  const failed = (cause: unknown): Verdict => {
    context.facts.environment.onReport({
      level: "error",
      message: `A permission check of tool '${context.toolName}' failed; the call is denied.`,
      cause,
    });
    return failedVerdict(source.ruleId);
  };
  try {
    const answer: unknown = source.run();
    if (!isPromiseLike(answer)) return source.verdict(answer as never);
    return Promise.resolve(answer)
      .then((value) => source.verdict(value as never))
      .catch(failed);
  } catch (error) {
    return failed(error);
  }
}
