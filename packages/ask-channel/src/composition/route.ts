import { type AskResolver, type Awaitable, isolatedReport, type PendingAsk } from "@x/permission-core";
import { copyAsk } from "../copy-ask.js";
import { isThenable } from "../is-thenable.js";
import { Composition } from "./composition.js";
import { type ComposableResolver, toMember } from "./member.js";
import { unavailable } from "./member-outcome.js";
import type { CompositionOptions } from "./options.js";
import { passOn } from "./pass-on.js";
import type { Round } from "./round.js";

/**
 * Asks the resolver that `choose` gives for this ask, at once or as a promise. `null` means that there is nobody for it:
 * code `ask_unavailable`. What `choose` throws denies, unless that is code `ask_unavailable`.
 *
 * A route is not interactive, since it may choose a resolver that is not; in an unattended run, an interactive one that
 * it chooses counts as unavailable.
 */
export function route(
  choose: (ask: PendingAsk) => Awaitable<ComposableResolver | null>,
  options: CompositionOptions = {},
): AskResolver {
  return new Composition({
    interactive: () => false,
    report: isolatedReport(options.onReport),
    begin(round) {
      const chosen = choose(copyAsk(round.pending));
      if (!isThenable(chosen)) askChosen(round, chosen);
      else {
        Promise.resolve(chosen)
          .then((resolver) => askChosen(round, resolver))
          .catch((error: unknown) => round.fail(error));
      }
    },
  });
}

function askChosen(round: Round, chosen: ComposableResolver | null | undefined): void {
  if (chosen === null || chosen === undefined) round.fail(unavailable("there is nobody for this ask"));
  else passOn(round, toMember(chosen));
}
