import { CommandGrower } from "./grow-command.js";
import { growProgram } from "./grow-program.js";
import { mutate } from "./mutate.js";
import type { SeededRandom } from "./seeded-random.js";
import { quietCommands, type Shape, shapes, templates } from "./shapes.js";

/** A command made out of shapes. */
export interface Mutant {
  readonly text: string;
  /** nothing in it came from a shape outside the documented reach */
  readonly inReach: boolean;
}

/** Beyond this many characters a mutant grows no more. */
const MAX_LENGTH = 600;
const runnable: readonly Shape[] = shapes.filter(({ executed }) => executed);

/** One mutant: a shape in other commands, changed a little, or, this often in a hundred times, one that should not run it, its quoting changed. */
export function createMutant(
  random: SeededRandom,
  { quietPercent }: { readonly quietPercent: number },
): Mutant {
  if (random.chance(quietPercent))
    return { text: random.pick([disturbed, grown, programmed])(random), inReach: true };
  const shape = random.pick(runnable);
  let text = shape.text;
  if (random.chance(35)) text = mutate(text, random);
  for (let layers = random.below(4); layers > 0 && text.length < MAX_LENGTH; layers -= 1)
    text = fill(random.pick(templates), text);
  if (random.chance(20)) text = mutate(text, random);
  return { text, inReach: shape.inReach };
}

function disturbed(random: SeededRandom): string {
  let text = random.pick(quietCommands);
  if (random.chance(15))
    text = `${text}${random.pick(["\n", "; ", " && ", " | "])}${random.pick(quietCommands)}`;
  if (random.chance(25)) text = fill(random.pick(templates), text);
  for (let edits = 1 + random.below(3); edits > 0; edits -= 1) text = mutate(text, random);
  return text;
}

function grown(random: SeededRandom): string {
  const grower = new CommandGrower(random, { posix: random.chance(35) });
  let text = grower.command(1 + random.below(4));
  for (let edits = random.below(3); edits > 0; edits -= 1) text = mutate(text, random);
  return text.length > MAX_LENGTH ? disturbed(random) : text;
}

function programmed(random: SeededRandom): string {
  let text = growProgram(random);
  if (random.chance(20)) text = fill(random.pick(templates), text);
  return random.chance(20) ? mutate(text, random) : text;
}

/** Puts a command into a template: as it is, within quotes, or within backquotes. */
function fill(template: string, text: string): string {
  return template.replaceAll(/[◆◇◈◊]/g, (place) => {
    if (place === "◇") return `'${text.replaceAll("'", "'\\''")}'`;
    if (place === "◈") return `"${text.replaceAll(/[\\"$`]/g, "\\$&")}"`;
    return place === "◊" ? text.replaceAll(/[\\$`]/g, "\\$&") : text;
  });
}
