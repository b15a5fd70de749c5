import { type ChildProcess, spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { delimiter, dirname } from "node:path";

const MOST_OUTPUT = 32 * 1024;
/** How long a process that left our group may hold on to the output of a command that has ended. */
const LINGER_MS = 500;

export interface ShellOptions {
  folder: string;
  signal: AbortSignal;
  timeoutMs: number;
}

export interface ShellOutcome {
  /** `exit 0`, `killed by SIGKILL`, … */
  ending: string;
  /** both outputs as they came, the first 32 KiB */
  output: string;
}

/**
 * Runs a command by `/bin/sh`, without input, in a process group of its own and without our terminal and our environment.
 * The whole group is ended with the command, when the time is up, and when `signal` fires: then it rejects.
 */
export function runShell(
  command: string,
  { folder, signal, timeoutMs }: ShellOptions,
): Promise<ShellOutcome> {
  signal.throwIfAborted();
  const child = spawn("/bin/sh", ["-c", command], {
    cwd: folder,
    env: cleanEnvironment(folder),
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    const output = collectOutput(child);
    const endGroup = () => killGroup(child);
    const onTimeout = () => {
      reject(new Error(`the command took longer than ${timeoutMs / 1000} s`));
      endGroup();
    };
    const onAbort = () => {
      reject(signal.reason);
      endGroup();
    };
    const timer = setTimeout(onTimeout, timeoutMs);
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", reject);
    child.on("exit", () => {
      endGroup();
      setTimeout(() => closeOutput(child), LINGER_MS).unref();
    });
    child.on("close", (code, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      resolve({ ending: killedBy === null ? `exit ${code}` : `killed by ${killedBy}`, output: output() });
    });
  });
}

/** Nothing of our environment, which may hold secrets: the way to this Node and to the system's programs. */
function cleanEnvironment(folder: string): NodeJS.ProcessEnv {
  return {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: folder,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
    NO_COLOR: "1",
  };
}

function collectOutput(child: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let kept = 0;
  let all = 0;
  const take = (chunk: Buffer) => {
    all += chunk.length;
    const piece = chunk.subarray(0, MOST_OUTPUT - kept);
    kept += piece.length;
    if (piece.length > 0) chunks.push(piece);
  };
  child.stdout?.on("data", take);
  child.stderr?.on("data", take);
  return () => {
    const text = Buffer.concat(chunks).toString("utf8");
    return all === kept ? text : `${text}\n[${all - kept} bytes left out]`;
  };
}

function closeOutput(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // The group has ended already.
  }
}
