import type { CallTarget, ToolKind } from "../calls/call-target.js";
import type { PathForms } from "../paths/path-forms.js";
import { bindingsOf } from "./bindings.js";
import type { Evaluation } from "./evaluation.js";

/** What the sources of a call are called at the end, each once, where some rule could speak of it below a destination. */
export interface Endings {
  readonly names: readonly string[];
  /** why they cannot all be compared with rules; null: they can */
  readonly tooMany: string | null;
}

export const NO_ENDINGS: Endings = { names: [], tooMany: null };

/** More sources below more destinations than in any call of good faith. */
const MOST_PLACES = 10_000;

export function endingsOf(evaluation: Evaluation, targets: readonly CallTarget[]): Endings {
  const destinations = targets.filter(({ as }) => as === "Write").length;
  if (destinations === 0) return NO_ENDINGS;
  const demand = evaluation.demandOnAny(kindsOfDestinations(evaluation));
  if (demand === null) return NO_ENDINGS;
  const names = new Set<string>();
  for (const { as, text } of targets)
    if (as !== "Write" && text !== "")
      for (const name of lastNames(evaluation.resolve(text))) names.add(name);
  if (names.size * destinations <= MOST_PLACES) return { names: [...names], tooMany: null };
  const tooMany = `it has too many sources and destinations, and ${demand.description} may be about one`;
  return { names: [], tooMany };
}

/** As every system may read it. */
function lastNames({ normal, windows }: PathForms): string[] {
  return [normal, windows?.normal ?? normal]
    .map((path) => path.slice(path.lastIndexOf("/") + 1))
    .filter((name) => name !== "" && name !== "." && name !== "..");
}

/** Whose rules speak of what is written by a call of the kind. */
export function kindsOfDestinations({ kind }: Evaluation): ToolKind[] {
  return [kind, ...bindingsOf(kind, "Write").map((binding) => binding.kind)];
}
