import {
  argsDigest,
  descriptorDigest,
  descriptorFingerprint,
  type Grant,
  type GrantStore,
  grantCovers,
  parseGrant,
} from "@x/permission-core";
import type { DispatchContext } from "../dispatch-context.js";
import { waitFor } from "../wait.js";

/** What is remembered of a call. */
interface Recollection {
  kind: "recollection";
  /** refuses the call, whatever it is pinned to */
  deny: Grant | null;
  /** answers a question about the call */
  allow: Grant | null;
  /** an approval is remembered, but of a tool that described itself differently */
  descriptorChanged: boolean;
}

export type Recall = Recollection | { kind: "failed" } | { kind: "cancelled" };

/**
 * Looks a call up in the store, by its input as it stands. A store that throws, rejects or takes too long has failed, which
 * is reported once for each dispatch. What a store gives is checked again: it must cover this very call, now.
 */
export function recall(store: GrantStore, context: DispatchContext, timeoutMs?: number): Promise<Recall> {
  const { environment, recorder } = context.facts;
  const failed = (cause?: unknown): Recall => {
    if (!recorder.failedStores.has(store)) {
      recorder.failedStores.set(store, false);
      environment.onReport({
        level: "error",
        message: `Remembered decisions could not be read for tool '${context.toolName}'; the call needs an approval.`,
        cause,
      });
    }
    return { kind: "failed" };
  };
  return waitFor<Grant[], Recall>({
    start: () =>
      store.find({
        tool: context.toolName,
        args: context.input,
        argsDigest: argsDigest(context.input),
        nowMs: environment.clock.now(),
      }),
    conclude(ending) {
      if (ending.kind === "cancelled") return { kind: "cancelled" };
      if (ending.kind !== "value") return failed(ending.kind === "thrown" ? ending.error : undefined);
      try {
        return recollect(ending.value, context, environment.clock.now());
      } catch (error) {
        return failed(error);
      }
    },
    signal: context.signal,
    timeoutMs: timeoutMs ?? environment.checkTimeoutMs,
    clock: environment.clock,
    openWaits: recorder.openWaits,
  });
}

function recollect(grants: readonly Grant[], context: DispatchContext, nowMs: number): Recollection {
  let deny: Grant | null = null;
  let allow: Grant | null = null;
  let descriptorChanged = false;
  for (const found of grants) {
    const grant = parseGrant(found);
    if (grant.expires_at_ms !== undefined && grant.expires_at_ms <= nowMs) continue;
    if (!grantCovers(grant, context.toolName, context.input)) continue;
    if (grant.verdict === "Deny") {
      deny ??= grant;
    } else if (grant.scope !== "this_tool" && context.spelledBeyondValue) {
      // The approval was of another spelling of these numbers.
    } else if (pinHolds(grant, context)) {
      allow = preferred(allow, grant);
    } else {
      descriptorChanged = true;
    }
  }
  return { kind: "recollection", deny, allow, descriptorChanged };
}

/** The narrower grant: it also answers where a tool-wide one may not. */
function preferred(held: Grant | null, found: Grant): Grant {
  if (held === null) return found;
  return held.scope === "this_tool" && found.scope !== "this_tool" ? found : held;
}

function pinHolds(grant: Grant, context: DispatchContext): boolean {
  const { tool } = context.facts;
  if (
    grant.pinned_descriptor !== null &&
    (tool === null || descriptorDigest(tool) !== grant.pinned_descriptor)
  ) {
    return false;
  }
  if (grant.pinned_fingerprint === undefined) return true;
  return tool !== null && descriptorFingerprint(tool) === grant.pinned_fingerprint;
}

/** Whether this grant may answer this question: a tool-wide one never answers a question that an operator's rule demands. */
export function mayAnswer(grant: Grant, configuredAsk: boolean): boolean {
  return grant.scope !== "this_tool" || !configuredAsk;
}
