import { type Clock, systemClock } from "@x/permission-core";
import { checkCount, checkOption } from "../check-option.js";
import type { ToolDispatchResult } from "../dispatch-result.js";
import type { DispatchGuard, GuardedCall } from "./guard.js";

export interface CircuitBreakerOptions {
  /** how many failures in a row open the circuit of a tool; default 5 */
  failureThreshold?: number;
  /** how long it stays open before one call may try again, in milliseconds; default 30,000 */
  resetAfterMs?: number;
  clock?: Clock;
}

const REASON = "tool temporarily unavailable: circuit breaker open";

/** One tool's failures in a row; a tool without any has no entry. */
interface Circuit {
  failures: number;
  /** Unix ms; null while calls still pass */
  openedAtMs: number | null;
  /** the one call that tries a tool again */
  trial: { callId: string; sinceMs: number } | null;
}

/**
 * Refuses calls of a tool that keeps failing, each tool by itself. Failures are results of kind `tool` or `timeout`; any
 * success that the tool itself gave closes the circuit; refusals, invalid input, cancelled calls and cached results say
 * nothing of the tool and change nothing. Once `resetAfterMs` have passed one call may try: its failure opens the circuit
 * anew. A trial that ends without saying anything makes room for another at once, and one that never reports back does so
 * after `resetAfterMs`.
 *
 * Throws `invalid_option` for a threshold that is no whole number from 1 up and a time that is negative or not a number.
 */
export function circuitBreaker(options: CircuitBreakerOptions = {}): DispatchGuard {
  const { failureThreshold = 5, resetAfterMs = 30_000, clock = systemClock } = options;
  checkCount("failureThreshold", failureThreshold);
  checkOption(
    typeof resetAfterMs === "number" && resetAfterMs >= 0,
    "resetAfterMs",
    resetAfterMs,
    "milliseconds, 0 or more",
  );
  const circuits = new Map<string, Circuit>();

  /** A clock that was set back must not hold a circuit open: distance counts, not direction. */
  const isRecent = (sinceMs: number) => Math.abs(clock.now() - sinceMs) < resetAfterMs;

  return {
    name: "circuit-breaker",
    before({ toolName, callId, dryRun = false }) {
      const circuit = circuits.get(toolName);
      if (circuit === undefined || circuit.openedAtMs === null) return null;
      const isTried = circuit.trial !== null && isRecent(circuit.trial.sinceMs);
      if (isTried || isRecent(circuit.openedAtMs)) return { action: "refuse", reason: REASON };
      if (!dryRun) circuit.trial = { callId, sinceMs: clock.now() };
      return null;
    },
    after(call, result) {
      const circuit = circuits.get(call.toolName);
      const isTrial = circuit?.trial?.callId === call.callId;
      switch (evidenceOf(result)) {
        case "works":
          circuits.delete(call.toolName);
          return;
        case "fails":
          countFailure(call, circuit, isTrial);
          return;
        case "none":
          if (circuit !== undefined && isTrial) circuit.trial = null;
      }
    },
  };

  function countFailure({ toolName }: GuardedCall, circuit: Circuit | undefined, isTrial: boolean): void {
    // Calls that were under way when the circuit opened tell nothing new.
    if (circuit !== undefined && circuit.openedAtMs !== null && !isTrial) return;
    const failures = (circuit?.failures ?? 0) + 1;
    const openedAtMs = failures >= failureThreshold ? clock.now() : null;
    circuits.set(toolName, { failures, openedAtMs, trial: null });
  }
}

/** What a result says of the tool's health. */
function evidenceOf({ errorKind, cached }: ToolDispatchResult): "works" | "fails" | "none" {
  if (errorKind === null) return cached ? "none" : "works";
  return errorKind === "tool" || errorKind === "timeout" ? "fails" : "none";
}
