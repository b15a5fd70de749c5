import { movesFolder } from "../shell/folder.js";
import type { ShellPart } from "../shell/shell-analysis.js";
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

  const covers = [...command].flatMap((at) => judged[at] ?? []);
  const isConfigured = covers.length > 0 && covers.every(isConfiguredAllow);
  const isContained =
    own.every(({ isolated }) => isolated) &&
    hidden.every(({ readOnly }) => readOnly) &&
    !tree.parts.some(leavesFolder);
  return judgeAsk(part.text, {
    basis: "substitution-floor",
    reason: part.substitutes
      ? "it runs what a substitution gives, which no rule can read"
      : "it stands in a group or subshell",
    floor: isConfigured && isContained ? "configured" : "plain",
    matches: judgement?.matches ?? null,
  });
}

/** Whether what stands beside it may run in another folder than the line starts in, which no isolation need hold. */
function leavesFolder({ program, argv, targets }: ShellPart): boolean {
  if (program !== null && movesFolder(program.slice(program.lastIndexOf("/") + 1))) return true;
  const startsElsewhere = program !== null && /(?:^|\/)(?:g?env|sudo)$/.test(program);
  if (startsElsewhere && argv.some(({ value }) => value !== null && /^(?:-\w*[CD]|--chdir)/.test(value)))
    return true;
  return targets.some(({ folder }) => folder !== "");
}

function isConfiguredAllow({ effect, rule }: Judgement): boolean {
  return effect === "allow" && rule !== null && !rule.isBuiltin;
}
