import { fork } from "node:child_process";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Settings } from "../settings.js";
import type { Member } from "./member.js";

/** The environment variable that carries the settings, as JSON: they hold a secret, and arguments can be seen by all. */
export const SETTINGS_VARIABLE = "MULTI_PROCESS_SETTINGS";

const ROLE = fileURLToPath(new URL("./role.js", import.meta.url));
/** How long a process may take to end before it is killed. */
const GRACE_MS = 3_000;

/**
 * Plays a role in a process of its own. It is told to end by the end of its channel, so it does not outlive this one either.
 * Only the desk has the terminal: Node puts a terminal's modes back when a process that has it ends, and a dialog that is
 * open meanwhile in another one would get no more keys. What the others print is passed on.
 */
export function startProcess(name: string, settings: Settings): Member {
  const child = fork(ROLE, [name], {
    env: { ...process.env, [SETTINGS_VARIABLE]: JSON.stringify(settings) },
    stdio: name === "desk" ? ["inherit", "inherit", "inherit", "ipc"] : ["ignore", "pipe", "pipe", "ipc"],
  });
  const printed = Promise.all([passOn(child.stdout, process.stdout), passOn(child.stderr, process.stderr)]);
  const ended = new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    // Its last lines may still be on their way when it has ended.
    child.once("exit", (code) => void printed.then(() => resolve(code === 0)));
  });
  return {
    name,
    up: new Promise((resolve) => child.once("message", (url) => resolve(String(url)))),
    ended,
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
      const endedWell = await ended;
      clearTimeout(timer);
      return endedWell;
    },
  };
}

/** Fulfils at the end of `from`. */
async function passOn(from: Readable | null, to: NodeJS.WriteStream): Promise<void> {
  for await (const text of from ?? []) to.write(text);
}
