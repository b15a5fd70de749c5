import { type NamedFile, unnamed } from "./named-file.js";
import type { ReadOptions } from "./options.js";
import type { ShellTarget } from "./shell-analysis.js";
import type { FileProgram } from "./tables/file-programs.js";

/** Adds what words may name that are not known, where one may be an option, or become several. */
export function withPossible(
  found: NamedFile[],
  program: FileProgram,
  { unsure, spreads }: Pick<ReadOptions, "unsure" | "spreads">,
): NamedFile[] {
  if (program.judged === true || (!unsure && !spreads)) return found;
  for (const possible of possibleOperations(program, unsure)) {
    if (!found.some(({ operation, path }) => operation === possible && path === null))
      found.push(unnamed(possible));
  }
  return found;
}

function possibleOperations(program: FileProgram, mayBeOption: boolean): ShellTarget["operation"][] {
  const { operands, files = {}, inPlace, writesWith, writingValue, alone, defaults } = program;
  const byOption = Object.values(files);
  const found: ShellTarget["operation"][] = [];
  if (operands === "remove") found.push("remove");
  const isChanged = alone === true || CHANGED.test(operands);
  const writes = [inPlace, writesWith, writingValue, defaults].some((way) => way !== undefined);
  if (isChanged || (mayBeOption && (writes || byOption.includes("write")))) found.push("write");
  const isRead = operands === "read" || operands === "here" || (isChanged && operands !== "write");
  if (isRead || (mayBeOption && byOption.includes("read"))) found.push("read");
  return found;
}

const CHANGED = /^(?:write|destination|first|rest)$/;
