import { parseArgs } from "node:util";
import { AT_TERMINAL, BY_SCRIPT } from "./settings.js";

export const HELP = `Usage: demo:processes [options]

Three workers ask before they act, and whoever answers first decides: you at the desk, or after a while two
phones, by webhook. Each of them is a process, and Redis is what they share.

  --local     the same workers in one process: no Redis, grants in a file, asks in memory
  --help      this text

  REDIS_URL   by environment: a Redis that runs already, such as redis://127.0.0.1:6379
              (default: a redis-server of this run's own, which ends with it)

Where input and output are a terminal, you are the desk: the phones ring ${seconds(AT_TERMINAL.ringAfterMs)} after it was asked, and an ask
expires after ${seconds(AT_TERMINAL.deadlineMs)}. Elsewhere a script answers: there it is ${seconds(BY_SCRIPT.ringAfterMs)} and ${seconds(BY_SCRIPT.deadlineMs)}.

To stop the whole run, press Ctrl-C while no question is on screen: what waits is called off, and does not run.
At a question, Ctrl-C denies that one call and the run goes on; there, send SIGTERM to the program from another
terminal. The same again ends it at once.
`;

export interface Arguments {
  isLocal: boolean;
  isHelp: boolean;
}

export function parseArguments(given: readonly string[]): Arguments | { problem: string } {
  // `pnpm demo:processes -- --help` passes the two dashes on.
  const args = given[0] === "--" ? given.slice(1) : [...given];
  try {
    const { values } = parseArgs({
      args,
      options: { local: { type: "boolean" }, help: { type: "boolean" } },
    });
    return { isLocal: values.local === true, isHelp: values.help === true };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
