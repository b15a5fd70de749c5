import { readdirSync } from "node:fs";
import { readEntries } from "./read-entries.js";

/** A command that runs `canary`, or looks as if it did. */
export interface Shape {
  readonly id: string;
  readonly text: string;
  /** within what the package says it can see of a denied program */
  readonly inReach: boolean;
  /** whether it may be run in the sandbox */
  readonly executed: boolean;
}

const FOLDER = new URL("../shapes/", import.meta.url);

/** Every fixed shape, in the order of its files. */
export const shapes: readonly Shape[] = readdirSync(FOLDER)
  .sort()
  .flatMap((file) => readEntries(new URL(file, FOLDER)))
  .map(({ id, text, mark }) => ({ id, text, inReach: mark !== "outside", executed: mark !== "unexecuted" }));

/** Commands that run no `canary`, though they hold its name. */
export const quietCommands: readonly string[] = textsOf("quiet.txt");

/** What a command can be put into. */
export const templates: readonly string[] = textsOf("templates.txt");

/** What can be put into a command. */
export const fragments: readonly string[] = textsOf("fragments.txt");

function textsOf(file: string): string[] {
  return readEntries(new URL(`../${file}`, import.meta.url)).map(({ text }) => text);
}
