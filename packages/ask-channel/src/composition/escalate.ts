import { type AskResolver, PermissionGateError } from "@x/permission-core";
import { inStages } from "./in-stages.js";
import { type ComposableResolver, toMember } from "./member.js";
import { checkMs, type TimedCompositionOptions } from "./options.js";

/** Whom to ask from when on. */
export interface EscalationStep {
  to: ComposableResolver;
  /** milliseconds since the ask was put; default 0; `Infinity`: only when nobody else is left to answer */
  afterMs?: number;
}

/**
 * Asks more members as time passes; those asked earlier stay asked, and the first answer decides, as in `firstAnswer`.
 * A step is taken early when everybody asked so far is unavailable or expired: there is no sense in waiting for nobody.
 *
 * Without an answer it goes on as `firstAnswer` does; it has no deadline of its own. Throws code `invalid_option` for no
 * steps and for times that are negative or no numbers.
 */
export function escalate(
  steps: readonly EscalationStep[],
  options: TimedCompositionOptions = {},
): AskResolver {
  const stages = Array.from(steps, ({ to, afterMs }) => {
    checkMs("afterMs", afterMs);
    return { member: toMember(to), afterMs: afterMs ?? 0 };
  });
  if (stages.length === 0) throw new PermissionGateError("invalid_option", "there is nobody to ask");
  return inStages(stages, options);
}
