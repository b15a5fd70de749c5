import { analyzeShell } from "../../src/shell/analyze-shell.js";

/** `operation path` of each file that the words of a command name. */
export function targetsOf(command: string): string[] {
  return analyzeShell(command, { dialect: "bash" }).parts.flatMap((part) =>
    part.targets.map(({ operation, path }) => `${operation} ${path}`),
  );
}

export function writesOf(command: string): string[] {
  return targetsOf(command).filter((target) => target.startsWith("write"));
}

export function isOpaque(command: string): boolean {
  return analyzeShell(command, { dialect: "bash" }).opaque !== null;
}
