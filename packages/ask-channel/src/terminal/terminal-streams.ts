import type { Readable, Writable } from "node:stream";

/** `process.stdin`, or whatever else can be a terminal. */
export type TerminalInput = Readable & {
  isTTY?: boolean;
  isRaw?: boolean;
  setRawMode?(mode: boolean): unknown;
};

/** `process.stdout` or `process.stderr`, or whatever else can be a terminal. */
export type TerminalOutput = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/** An output that tells its size. */
export type SizedTerminalOutput = TerminalOutput & { columns: number; rows: number };

/** Whether somebody can be asked here: both ends are a terminal and still open. */
export function isTerminal(input: TerminalInput, output: TerminalOutput): boolean {
  if (input.isTTY !== true || typeof input.setRawMode !== "function" || output.isTTY !== true) return false;
  return !input.readableEnded && !input.destroyed && !output.writableEnded && !output.destroyed;
}

/** What a terminal that does not know its size counts as. */
const ASSUMED_SIZE = { columns: 80, rows: 24 };

/**
 * The same output, never of size 0. Pseudo terminals that nobody gave a size (`script`, containers, some CI) say 0,
 * and text wrapped to that has one letter a line.
 */
export function withKnownSize(output: TerminalOutput): SizedTerminalOutput {
  const sized = new Proxy(output, {
    get(target, key) {
      if (key === "columns" || key === "rows") return target[key] || ASSUMED_SIZE[key];
      const member: unknown = Reflect.get(target, key);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
  return sized as SizedTerminalOutput;
}
