import { type AnalyzeOptions, analyzeShell } from "./analyze-shell.js";

/**
 * Whether a line changes nothing: every command in it is known to only read, in the form that stands there. False for any
 * substitution, assignment or write, for whatever cannot be told for sure, and for a line without a command.
 */
export function isReadOnlyShell(command: string, options: AnalyzeOptions = {}): boolean {
  return analyzeShell(command, options).readOnly;
}
