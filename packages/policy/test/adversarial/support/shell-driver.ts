import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** The user `nobody`: owns no file, and may touch none but those of its own folder. */
export const NOBODY = 65534;
export const PRIVILEGED: boolean = process.getuid?.() === 0;

/** Two seconds of processor time a process, files of 1 MB, 128 open files, no core files; as `nobody`, 400 processes. */
const LIMITS = `ulimit -t 2; ulimit -f 2048; ulimit -n 128; ulimit -c 0; ${PRIVILEGED ? "ulimit -p 400;" : ""}`;
/** A command that runs longer is ended with its process group. */
const TIME_LIMIT_SECONDS = 1.5;

/**
 * An unprivileged dash that starts one command after the other: a small process starts others far sooner than a large one.
 * It does nothing but that; each command gets a shell of its own.
 */
export class ShellDriver {
  private readonly dash: ChildProcess;
  private finish: (() => void) | null = null;
  private fail: ((error: Error) => void) | null = null;

  constructor() {
    this.dash = spawn("dash", {
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
      ...(PRIVILEGED ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    this.dash.once("error", (error) => this.fail?.(error));
    this.dash.once("exit", () => this.fail?.(new Error("the driving shell has ended")));
    if (this.dash.stdout) createInterface(this.dash.stdout).on("line", () => this.finish?.());
  }

  /**
   * Runs a command with `folder/home` as its home and place, and `folder/bin` first on its path. Resolves once every process
   * has ended that holds the pipe which the command inherits: the command, and whatever it left behind.
   */
  run(folder: string, command: readonly string[]): Promise<void> {
    const home = quoted(`${folder}/home`);
    const path = quoted(`${folder}/bin:/usr/bin:/bin`);
    const words = ["timeout", "-s", "KILL", String(TIME_LIMIT_SECONDS), ...command].map(quoted).join(" ");
    const start = `${LIMITS} cd ${home} && HOME=${home} PATH=${path} exec ${words} 3>&1 >/dev/null 2>&1 </dev/null`;
    return new Promise((resolve, reject) => {
      this.finish = resolve;
      this.fail = reject;
      this.dash.stdin?.write(`: "$(${start})"; echo\n`);
    });
  }

  close(): void {
    this.fail = null;
    this.dash.kill("SIGKILL");
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
