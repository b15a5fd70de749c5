import type { AskResolver } from "@x/permission-core";
import { inStages } from "./in-stages.js";
import { type ComposableResolver, toMembers } from "./member.js";
import type { CompositionOptions } from "./options.js";

/**
 * Asks the first, and the next only when the one before is unavailable or its own deadline passed. Only one is asked at
 * a time.
 *
 * An answer ends it, a denial too. When none is left: rejects with code `ask_expired` where one expired, else
 * `ask_unavailable`. A member that throws anything else, or answers nonsense, denies as it would alone: rejects with what
 * it threw (`bad_record` for nonsense), and no other is asked.
 *
 * Throws code `invalid_option` for an empty list.
 */
export function fallback(
  resolvers: readonly ComposableResolver[],
  options: CompositionOptions = {},
): AskResolver {
  return inStages(
    toMembers(resolvers).map((member, index) => ({
      member,
      afterMs: index === 0 ? 0 : Number.POSITIVE_INFINITY,
    })),
    options,
  );
}
