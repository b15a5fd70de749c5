import { defineTool } from "@x/middleware";
import * as z from "zod";
import { lineCount } from "./project-file.js";
import { runShell } from "./run-shell.js";

export const DEFAULT_SHELL_DESCRIPTION = "Runs a shell command in the project's folder.";

const TIMEOUT_MS = 60_000;

/** A remembered approval is pinned to `description`: under another one it is asked for again. */
export function shellTool(root: string, description: string) {
  return defineTool({
    name: "shell",
    description,
    input: z.strictObject({ command: z.string().min(1).max(2000) }),
    async run({ command }, { signal }) {
      const { ending, output } = await runShell(command, { folder: root, signal, timeoutMs: TIMEOUT_MS });
      const text = output.trim();
      const summary =
        text === "" || text.includes("\n") ? `${ending}, ${lineCount(text)}` : `${ending}: ${text}`;
      return { summary, output };
    },
  });
}
