import { fork } from "node:child_process";
import { chownSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** `nobody` on most systems; any user without rights will do. */
const UNPRIVILEGED = 65_534;

export interface Saver {
  /** Saves a grant for the tool and gives the tools of the whole ledger. Rejects with code and message of a refusal. */
  save(tool: string): Promise<string[]>;
}

/**
 * Starts a process with a store on the project `folder`, ledgers under `rootDir`; `folder` is made its user's own, and must
 * be where that user gets to.
 */
export async function startSaver(folder: string, rootDir: string, umask: number): Promise<Saver> {
  if (process.getuid?.() === 0) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const options = { umask, projectDir: folder, rootDir, user: UNPRIVILEGED };
  const child = fork(fileURLToPath(new URL("saver.mjs", import.meta.url)), [JSON.stringify(options)], {
    stdio: ["ignore", "inherit", "pipe", "ipc"],
  });
  onTestFinished(() => void child.kill());
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    complaint += text;
  });
  const nextMessage = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve);
      // After `close` all that it wrote was heard.
      child.once("close", (code) =>
        reject(new Error(`the saver ended with code ${code}: ${complaint || "it said nothing"}`)),
      );
    });
  await nextMessage();
  return {
    async save(tool) {
      const answer = nextMessage();
      child.send(tool);
      const tools = (await answer) as string[] | { refused: string };
      if (Array.isArray(tools)) return tools;
      throw new Error(tools.refused);
    },
  };
}
