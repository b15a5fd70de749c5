import type { Evaluation } from "./evaluation.js";
import { type Judgement, judgeAsk } from "./judgement.js";
import type { PartTree } from "./part-tree.js";

/**
 * The substitution floor: a part that holds a substitution or stands in a group, and that would be allowed, asks, unless it
 * and all that it hides only read. `judged` is what the parts come to without it.
 */
export function applyFloor(
  { request }: Evaluation,
  tree: PartTree,
  index: number,
  judged: readonly (Judgement | null)[],
): Judgement | null {
  const judgement = judged[index] ?? null;
  const part = tree.parts[index];
  if (part === undefined || !(part.substitutes || part.grouped)) return judgement;
  if (judgement !== null && judgement.effect !== "allow") return judgement;
  if (request.substitution === "evaluate") return judgement;
  const command = tree.commandOf(index);
  const hidden = tree.hiddenIn(command);
  const own = [...command].flatMap((at) => tree.parts[at] ?? []);
  if ([...own, ...hidden].every(({ readOnly }) => readOnly)) return judgement;

  const isConfigured = [...command].every((at) => isConfiguredAllow(judged[at] ?? null));
  const isContained = own.every(({ isolated }) => isolated) && hidden.every(({ readOnly }) => readOnly);
  return judgeAsk(part.text, {
    basis: "substitution-floor",
    reason: part.substitutes
      ? "it runs what a substitution gives, which no rule can read"
      : "it stands in a group or subshell",
    floor: isConfigured && isContained ? "configured" : "plain",
    matches: judgement?.matches ?? null,
  });
}

/** A part that stands aside for what it starts has no judgement of its own. */
function isConfiguredAllow(judgement: Judgement | null): boolean {
  if (judgement === null) return true;
  return judgement.effect === "allow" && judgement.rule !== null && !judgement.rule.isBuiltin;
}
