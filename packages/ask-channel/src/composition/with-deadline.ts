import {
  type AskResolver,
  isolatedReport,
  type PendingAsk,
  PermissionGateError,
  systemClock,
} from "@x/permission-core";
import { Composition } from "./composition.js";
import { type ComposableResolver, isInteractive, toMember } from "./member.js";
import { checkMs, type TimedCompositionOptions } from "./options.js";
import { passOn } from "./pass-on.js";

/**
 * Rejects with code `ask_expired` when `resolver` has not answered within `ms` milliseconds; its signal fires with that
 * error. An answer that was given before counts, even where both fall into one turn of the loop. 0, undefined and
 * Infinity mean no deadline; more than 2^31-1 works.
 *
 * The resolver is shown the earlier of its own and the ask's deadline as `expires_at_ms`. Everything else is as if it was
 * asked alone. Throws code `invalid_option` for a negative time or none.
 */
export function withDeadline(
  resolver: ComposableResolver,
  ms: number | undefined,
  options: TimedCompositionOptions = {},
): AskResolver {
  checkMs("ms", ms);
  const member = toMember(resolver);
  const clock = options.clock ?? systemClock;
  return new Composition({
    interactive: () => isInteractive(member),
    report: isolatedReport(options.onReport),
    begin(round) {
      if (ms === undefined || ms === 0 || ms === Number.POSITIVE_INFINITY) {
        passOn(round, member);
        return;
      }
      const expire = () => {
        round.expire(new PermissionGateError("ask_expired", `ask ${round.pending.id}: its deadline passed`));
      };
      round.timer(clock, expire, ms);
      passOn(round, member, expiringAt(round.pending, Math.floor(clock.now() + ms)));
    },
  });
}

function expiringAt(pending: PendingAsk, atMs: number): PendingAsk {
  const earlierMs = Math.min(pending.expires_at_ms ?? Number.POSITIVE_INFINITY, atMs);
  return Number.isSafeInteger(earlierMs) ? { ...pending, expires_at_ms: earlierMs } : pending;
}
