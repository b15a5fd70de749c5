import type { Awaitable } from "@x/permission-core";

/** A channel that has not got on after so many turns never will. */
const MOST_TURNS = 1_000;

/** Lets turns pass until `holds` gives true. Throws when it never does. */
export async function waitOn(
  holds: () => Awaitable<boolean>,
  turn: () => Awaitable<void>,
  what: string,
): Promise<void> {
  for (let turns = 0; !(await holds()); turns += 1) {
    if (turns === MOST_TURNS) throw new Error(`this did not happen: ${what}`);
    await turn();
  }
}
