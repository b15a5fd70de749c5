import type { ShellPart, ShellWord } from "../shell/shell-analysis.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { Evaluation } from "./evaluation.js";
import { isDemand, type Judgement, judgeAsk, judgeMatches } from "./judgement.js";
import type { Matches } from "./matches.js";
import type { PartTree } from "./part-tree.js";

/** What a part comes to before the substitution floor. null: nothing speaks of it, and what it starts is judged instead. */
export function judgePart(evaluation: Evaluation, tree: PartTree, index: number): Judgement | null {
  const part = tree.parts[index];
  if (part === undefined) return null;
  const matches = evaluation.newMatches();
  addTightening(evaluation, part, matches);
  const standsAside = isJudgedByOthers(evaluation, tree, index, part);
  addAllows(evaluation, tree, index, { matches, exactOnly: standsAside });

  const judgement = judgeMatches(part.text, matches);
  if (isDemand(judgement)) return judgement;
  const possible = possibleDemand(evaluation, part);
  if (possible !== null)
    return judgeAsk(part.text, { basis: "opaque", reason: possible, demanded: true, matches });
  if (part.opaque !== null) return judgeAsk(part.text, { basis: "opaque", reason: part.opaque, matches });
  return standsAside && judgement.effect !== "allow" ? null : judgement;
}

function addTightening(evaluation: Evaluation, part: ShellPart, matches: Matches): void {
  for (const { texts } of evaluation.ownRules())
    for (const form of part.forms) texts.tightening(form, evaluation.audience, (rule) => matches.add(rule));
}

/**
 * A part is covered as it will run: as written, without the assignments that change nothing. A rule for exactly the text
 * of what starts it covers it too.
 */
function addAllows(
  evaluation: Evaluation,
  tree: PartTree,
  index: number,
  { matches, exactOnly }: { matches: Matches; exactOnly: boolean },
): void {
  const [part, ...starters] = tree.startersOf(index);
  if (part === undefined) return;
  for (const { texts } of evaluation.ownRules()) {
    for (const text of runningTexts(evaluation, part))
      texts.allowing(text, evaluation.audience, (rule) => {
        if (!exactOnly || isLiteral(rule)) matches.add(rule);
      });
    for (const starter of starters)
      for (const text of runningTexts(evaluation, starter))
        texts.allowing(text, evaluation.audience, (rule) => {
          if (isLiteral(rule)) matches.add(rule);
        });
  }
}

function isLiteral(rule: CompiledRule): boolean {
  return rule.isExact && rule.rule.pattern !== "";
}

function runningTexts({ request }: Evaluation, part: ShellPart): readonly string[] {
  const benign = request.benignAssignments ?? [];
  if (benign.length === 0 || part.assignments.length === 0) return [part.text];
  const kept = part.assignments.filter(({ name }) => !benign.includes(name));
  if (kept.length === part.assignments.length) return [part.text];
  return [part.text, [...kept, ...part.argv].map(({ source }) => source).join(" ")];
}

/** A transparent wrapper, by what it starts; what runs nothing by itself, by the files and substitutions that it has. */
function isJudgedByOthers(
  { request }: Evaluation,
  tree: PartTree,
  index: number,
  { wrapping, argv, assignments }: ShellPart,
): boolean {
  if (wrapping === "transparent") return tree.startsOthers(index);
  const benign = request.benignAssignments ?? [];
  return argv.length === 0 && assignments.every(({ name }) => benign.includes(name));
}

/** Why a deny or an operator's ask may be about a part that it does not match as written; null: none may. */
function possibleDemand(evaluation: Evaluation, { program, argv, known }: ShellPart): string | null {
  const operands = argv.slice(1);
  const expands = operands.some(({ expansions }) => expansions.length > 0);
  if (!expands && known) return null;
  for (const { programs } of evaluation.ownRules()) {
    const about = expands
      ? firstOf(namesOf(program), (name) => programs.about(name, evaluation.audience))
      : null;
    if (about !== null)
      return `what its words become is only known when it runs, and ${about.description} may be about it`;
    const named = known
      ? null
      : firstOf(operands.flatMap(namesOfWord), (name) => programs.naming(name, evaluation.audience));
    if (named !== null)
      return `what it does with its words is not known, and ${named.description} may be about it`;
  }
  return null;
}

function namesOfWord({ value }: ShellWord): string[] {
  return namesOf(value);
}

/** A program as it is called, and without its folder. */
function namesOf(program: string | null): string[] {
  if (program === null) return [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name === program || name === "" ? [program] : [program, name];
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
