import type { PolicyCall } from "@x/permission-core";
import { type DialectOptions, dialectOf } from "../evaluate/dialect-of.js";
import { analyzeShell } from "../shell/analyze-shell.js";
import type { CallOptions } from "./call-target.js";
import { callTargets, shellCommands } from "./call-targets.js";
import { isShellTool } from "./tool-kind.js";

/**
 * The texts that rules are compared with: of a shell call, each of its simple commands, with programs that only start another
 * one taken off; of any other, its targets as written. Empty text: there is nothing that can be read.
 */
export function matchTargets(call: PolicyCall, options: CallOptions & DialectOptions = {}): string[] {
  if (!isShellTool(call, options)) return callTargets(call, options).map(({ text }) => text);
  const dialect = dialectOf(call, options);
  const parts = (shellCommands(call, options) ?? []).flatMap((text) => analyzeShell(text, { dialect }).parts);
  const texts = parts.filter(({ wrapping }) => wrapping !== "transparent").map(({ text }) => text);
  return texts.length === 0 ? [""] : texts;
}
