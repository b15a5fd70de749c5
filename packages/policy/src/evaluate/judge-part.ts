import type { ShellPart } from "../shell/shell-analysis.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { Evaluation } from "./evaluation.js";
import { isDemand, type Judgement, judgeAsk, judgeMatches } from "./judgement.js";
import type { Matches } from "./matches.js";
import type { PartTree } from "./part-tree.js";

/** What a part comes to before the substitution floor. null: nothing speaks of it, and what it starts is judged instead. */
export function judgePart(
  evaluation: Evaluation,
  tree: PartTree,
  part: ShellPart,
  index: number,
): Judgement | null {
  const matches = evaluation.newMatches();
  addTightening(evaluation, part, matches);
  const standsAside = isJudgedByOthers(evaluation, tree, part, index);
  addAllows(evaluation, part, matches, standsAside);
  // A rule for exactly the text of what starts it covers it too.
  if (part.startedBy !== null)
    for (const starter of tree.startersOf(index)) addAllows(evaluation, starter, matches, true);

  const judgement = judgeMatches(part.text, matches);
  if (isDemand(judgement)) return judgement;
  const possible = possibleDemand(evaluation, part);
  if (possible !== null)
    return judgeAsk(part.text, { basis: "opaque", reason: possible, demanded: true, matches });
  if (part.opaque !== null) return judgeAsk(part.text, { basis: "opaque", reason: part.opaque, matches });
  return standsAside && judgement.effect !== "allow" ? null : judgement;
}

function addTightening({ ownRules, audience }: Evaluation, part: ShellPart, matches: Matches): void {
  for (const { texts } of ownRules)
    if (texts.tightens) for (const form of part.forms) texts.addTightening(form, audience, matches);
}

/** A part is covered as it will run: as written, without the assignments that change nothing. */
function addAllows(evaluation: Evaluation, part: ShellPart, matches: Matches, literally: boolean): void {
  const running = withoutBenign(evaluation, part);
  for (const { texts } of evaluation.ownRules) {
    texts.addAllows(part.text, evaluation.audience, matches, literally);
    if (running !== null) texts.addAllows(running, evaluation.audience, matches, literally);
  }
}

/** The text of a part without its benign assignments; null: it has none. */
function withoutBenign({ request }: Evaluation, { assignments, argv }: ShellPart): string | null {
  const { benignAssignments: benign } = request;
  if (assignments.length === 0 || benign === undefined) return null;
  const kept = assignments.filter(({ name }) => !benign.includes(name));
  if (kept.length === assignments.length) return null;
  return [...kept, ...argv].map(({ source }) => source).join(" ");
}

/** A transparent wrapper, by what it starts; what runs nothing by itself, by the files and substitutions that it has. */
function isJudgedByOthers(
  { request }: Evaluation,
  tree: PartTree,
  { wrapping, argv, assignments }: ShellPart,
  index: number,
): boolean {
  if (wrapping === "transparent") return tree.startsOthers(index);
  if (argv.length > 0) return false;
  const benign = request.benignAssignments ?? [];
  return assignments.every(({ name }) => benign.includes(name));
}

/** Why a deny or an operator's ask may be about a part that it does not match as written; null: none may. */
function possibleDemand({ ownRules, audience }: Evaluation, part: ShellPart): string | null {
  if (ownRules.every(({ programs }) => programs.isEmpty)) return null;
  const operands = part.argv.slice(1);
  const expands = operands.some(({ expansions }) => expansions.length > 0);
  for (const { programs } of ownRules) {
    const about = expands ? firstOf(namesOf(part.program), (name) => programs.about(name, audience)) : null;
    if (about !== null)
      return `what its words become is only known when it runs, and ${about.description} may be about it`;
    if (part.known) continue;
    const names = operands.flatMap(({ value }) => namesOf(value));
    const named = firstOf(names, (name) => programs.naming(name, audience));
    if (named !== null)
      return `what it does with its words is not known, and ${named.description} may be about it`;
  }
  return null;
}

/** A program as it is called, and without its folder. */
function namesOf(program: string | null): string[] {
  if (program === null) return [];
  const name = program.slice(program.lastIndexOf("/") + 1);
  return name === program || name === "" ? [program] : [program, name];
}

function firstOf(names: readonly string[], find: (name: string) => CompiledRule | null): CompiledRule | null {
  for (const name of names) {
    const found = find(name);
    if (found !== null) return found;
  }
  return null;
}
