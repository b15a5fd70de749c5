import type { AskResolver } from "@x/permission-core";
import { inStages } from "./in-stages.js";
import { type ComposableResolver, toMembers } from "./member.js";
import type { CompositionOptions } from "./options.js";

/**
 * Asks all at once and takes the first answer, whichever it is. The signal of the others fires with a
 * `PermissionGateError` of code `ask_answered`. A member that answers without waiting leaves those after it unasked.
 *
 * A member that is unavailable, or whose own deadline passed, has not answered. When none is left: rejects with code
 * `ask_expired` where one expired, else `ask_unavailable`. A member that throws anything else, or answers nonsense,
 * denies as it would alone: rejects with what it threw (`bad_record` for nonsense), and the others are called off.
 *
 * Throws code `invalid_option` for an empty list.
 */
export function firstAnswer(
  resolvers: readonly ComposableResolver[],
  options: CompositionOptions = {},
): AskResolver {
  return inStages(
    toMembers(resolvers).map((member) => ({ member, afterMs: 0 })),
    options,
  );
}
