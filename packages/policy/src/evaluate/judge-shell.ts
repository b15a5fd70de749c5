import { shellCommands } from "../calls/call-targets.js";
import { analyzeShell } from "../shell/analyze-shell.js";
import type { ShellAnalysis, ShellPart, ShellTarget } from "../shell/shell-analysis.js";
import { dialectOf } from "./dialect-of.js";
import type { Evaluation } from "./evaluation.js";
import { applyFloor } from "./floor.js";
import { judgePart } from "./judge-part.js";
import { judgeShellTarget } from "./judge-shell-target.js";
import { JudgedOnce } from "./judged-once.js";
import { isDemand, type Judgement, judgeAsk, judgeMatches, judgePlanMode } from "./judgement.js";
import { MadeLinks } from "./made-links.js";
import { PartTree } from "./part-tree.js";

/** Every part of every command that a call of a shell holds, and every file that these write. */
export function judgeShell(evaluation: Evaluation): Judgement[] {
  const { call } = evaluation.request;
  const commands = shellCommands(call, evaluation.request) ?? [];
  if (commands.length === 0) {
    if (evaluation.mode === "plan") return [judgePlanMode("", "plan mode: the command cannot be read")];
    return [judgeUnread(evaluation, "", "the command cannot be read")];
  }
  const dialect = dialectOf(call, evaluation.request);
  const analyses = commands.map((command) => ({ command, analysis: analyzeShell(command, { dialect }) }));
  const targets: TargetJudge = {
    links: new MadeLinks(
      evaluation,
      analyses.length === 1
        ? (analyses[0]?.analysis.parts ?? [])
        : analyses.flatMap(({ analysis }) => analysis.parts),
    ),
    judged: new JudgedOnce(),
  };
  const judgements: Judgement[] = [];
  for (const { command, analysis } of analyses)
    judgements.push(...judgeCommand(evaluation, command, analysis, targets));
  return judgements;
}

/** What is the same for the files of all commands of a call. */
interface TargetJudge {
  readonly links: MadeLinks;
  /** null: nothing speaks of it */
  readonly judged: JudgedOnce<Judgement | null>;
}

function judgeCommand(
  evaluation: Evaluation,
  command: string,
  analysis: ShellAnalysis,
  targets: TargetJudge,
): Judgement[] {
  if (evaluation.mode === "plan" && !analysis.readOnly)
    return [judgePlanMode(command.trim(), "plan mode: the command is not known to change nothing")];
  const { opaque, parts } = analysis;
  const judgements: Judgement[] = [];
  if (opaque !== null || parts.length === 0) {
    const line = judgeUnread(evaluation, command.trim(), opaque ?? "it holds no command");
    if (isDemand(line) || parts.every((part) => part.opaque === null)) judgements.push(line);
  }
  judgements.push(...judgeParts(evaluation, new PartTree(parts), targets));
  return judgements;
}

function judgeParts(evaluation: Evaluation, tree: PartTree, targets: TargetJudge): Judgement[] {
  const judged = tree.parts.map((part, index) => judgePart(evaluation, tree, part, index));
  const judgements: Judgement[] = [];
  tree.parts.forEach((part, index) => {
    const judgement = applyFloor(evaluation, tree, index, judged);
    if (judgement !== null) judgements.push(judgement);
    for (const target of part.targets) {
      const ofTarget = judgeTargetOnce(evaluation, part, target, targets);
      if (ofTarget !== null) judgements.push(ofTarget);
    }
  });
  return judgements;
}

function judgeTargetOnce(
  evaluation: Evaluation,
  part: ShellPart,
  target: ShellTarget,
  { links, judged }: TargetJudge,
): Judgement | null {
  const { operation, path, folder, whole = false, word } = target;
  const mayLead = links.mayLead(part, target);
  return judged.get([operation, path, folder, whole, word.value, word.source, mayLead], () =>
    judgeShellTarget(evaluation, target, mayLead),
  );
}

/** A text that cannot be read as commands: rules that tighten may still know it as it stands, and no allow covers it. */
function judgeUnread(evaluation: Evaluation, text: string, reason: string): Judgement {
  const matches = evaluation.newMatches();
  for (const { texts } of evaluation.ownRules) texts.addTightening(text, evaluation.audience, matches);
  const judgement = judgeMatches(text, matches);
  if (isDemand(judgement)) return judgement;
  return judgeAsk(text, { basis: "opaque", reason, matches });
}
