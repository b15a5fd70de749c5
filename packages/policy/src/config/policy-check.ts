import { basename, dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { displaySafe, type RuleProblem, type RuleSet } from "@x/permission-core";
import type { ConfigFile } from "./files/config-file.js";
import { loadConfigFile } from "./files/load-config-file.js";
import { type ReadFileText, readFileText } from "./files/read-file-text.js";
import { uniteRuleSets } from "./unite-rule-sets.js";

/** What the command prints, with line ends, and the code with which it exits. */
export interface PolicyCheckResult {
  readonly stdout: string;
  readonly stderr: string;
  /** 0: no problems; 1: some; 2: it was called wrongly */
  readonly exitCode: 0 | 1 | 2;
}

const USAGE = `Usage: policy-check [--tool NAME]... FILE...

Checks permission files, and Claude settings where the file lies in a folder .claude or is called
managed-settings.json. Prints each problem as file:line:column, or file:line where the column is not
known, with what stands there if the file holds rules, and what to do.

  --tool NAME  a tool that the host has beside the kinds; rules about any other tool are problems, and
               rules about tools of MCP are where this option is given
  --help       prints this

Exit codes: 0 no problems, 1 problems, 2 wrong usage.
`;

/**
 * The command `policy-check`, for hosts that have a command line of their own. `args` are those behind the command's name;
 * relative paths begin at the current folder.
 */
export function policyCheck(
  args: readonly string[],
  readFile: ReadFileText = readFileText,
): PolicyCheckResult {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return wrongUsage(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals: paths } = parsed;
  if (values.help === true) return { stdout: USAGE, stderr: "", exitCode: 0 };
  if (paths.length === 0) return wrongUsage("No file is named.");
  const options = values.tool === undefined ? {} : { knownTools: values.tool };
  const checked = paths.map((path) => {
    const set = uniteRuleSets([loadConfigFile(fileAt(path), readFile)], options);
    return { path, set };
  });
  return {
    stdout: checked.map(({ path, set }) => report(path, set)).join(""),
    stderr: "",
    exitCode: checked.every(({ set }) => set.problems.length === 0) ? 0 : 1,
  };
}

function parse(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { tool: { type: "string", multiple: true }, help: { type: "boolean" } },
  });
}

function fileAt(path: string): ConfigFile {
  const isClaude =
    basename(dirname(resolve(path))) === ".claude" || basename(path) === "managed-settings.json";
  return { path, scope: "cli", form: isClaude ? "claude" : "permissions", trusted: true, required: true };
}

function report(path: string, { rules, problems }: RuleSet): string {
  if (problems.length > 0) return problems.map(problemText).join("");
  return `${safe(path)}: no problems in ${rules.length} rules\n`;
}

function problemText({ file, line, column, text, message }: RuleProblem): string {
  const place = [safe(file), line, column].filter((part) => part !== undefined).join(":");
  return `${place}${text === "" ? "" : ` ${text}`}\n    ${message}\n`;
}

/** Names of files, too, may hold what a terminal would obey. */
function safe(text: string): string {
  return displaySafe(text).text;
}

function wrongUsage(message: string): PolicyCheckResult {
  return { stdout: "", stderr: `${message}\n\n${USAGE}`, exitCode: 2 };
}
