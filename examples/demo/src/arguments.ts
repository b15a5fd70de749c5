import { parseArgs } from "node:util";
import { BadInput, messageOf } from "./bad-input.js";
import { DEFAULT_SHELL_DESCRIPTION } from "./tools/shell-tool.js";

export interface DemoArguments {
  help: boolean;
  /** a file; left out: the shipped session in the Anthropic form */
  transcript?: string;
  /** a folder; left out: the fixed one */
  workspace?: string;
  dryRun: boolean;
  /** the answer to every question; null: a person at the terminal, else the script */
  answer: "yes" | "no" | null;
  shellDescription: string;
}

export function helpOf(name: string): string {
  return `Usage: ${name} [options]

Replays the tool calls of a recorded agent session through a permission gate, against real tools
in a copy of a small project.

  --transcript FILE          messages with Anthropic "tool_use" blocks or OpenAI "tool_calls"
                             (default: examples/transcripts/anthropic-session.json)
  --workspace DIR            where the copy, the ledger and the grants are; made if missing
                             (default: a fixed folder below the system's temporary directory,
                             one for the shipped transcripts and one for all others)
  --dry-run                  say what would be decided; ask, run and write nothing
  --yes, --no                answer every question so, and remember none of the answers
  --shell-description TEXT   describe the shell tool by another text: approvals that were
                             remembered for it are then asked for again
  --help                     this text

Without --yes or --no, you are asked where input and output are a terminal. Elsewhere a script answers
for the shipped transcripts, and refuses whatever another transcript asks for.

The file tools stay inside the copy. A shell command, once approved, can do all that you can do:
--yes runs every command of a transcript, so read a transcript of somebody else before you use it.

To stop the whole run, press Ctrl-C while no question is on screen: what is running is called off, and the
ledger is complete. At a question, Ctrl-C denies that one call and the run goes on; there, close the terminal,
or send SIGTERM to the program from another one. The same again ends it at once.
`;
}

/** Throws `BadInput`. */
export function parseArguments(name: string, given: readonly string[]): DemoArguments {
  // `pnpm demo -- --dry-run` passes the two dashes on.
  const args = given[0] === "--" ? given.slice(1) : [...given];
  const values = parsed(name, args);
  for (const option of ["transcript", "workspace", "shell-description"] as const) {
    if (values[option] === "") throw new BadInput(`--${option} is empty; --help tells the options`);
  }
  if (values.yes === true && values.no === true) throw new BadInput("--yes and --no exclude each other");
  return {
    help: values.help === true,
    ...(values.transcript === undefined ? undefined : { transcript: values.transcript }),
    ...(values.workspace === undefined ? undefined : { workspace: values.workspace }),
    dryRun: values["dry-run"] === true,
    answer: values.yes === true ? "yes" : values.no === true ? "no" : null,
    shellDescription: values["shell-description"] ?? DEFAULT_SHELL_DESCRIPTION,
  };
}

function parsed(name: string, args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        help: { type: "boolean" },
        transcript: { type: "string" },
        workspace: { type: "string" },
        "dry-run": { type: "boolean" },
        yes: { type: "boolean" },
        no: { type: "boolean" },
        "shell-description": { type: "string" },
      },
    }).values;
  } catch (cause) {
    const [problem = ""] = messageOf(cause).split(/\.? To specify|\. |\n/);
    throw new BadInput(`${problem}. Usage: ${name} [options]; --help tells them`, { cause });
  }
}
