import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface WriterOptions {
  projectDir: string;
  rootDir: string;
  tools: string[];
  lockTimeoutMs?: number;
  /** probabilities that the process kills itself around a file operation */
  crash?: { anywhere: number; inTakeover: number };
  /** where to pause once: `hang` until `resume`, `stop` until SIGCONT */
  pause?: { point: "commit" | "takeover"; how: "hang" | "stop" };
  withoutLock?: boolean;
}

export type WriterEvent =
  | { event: "saved"; tool: string; id: string }
  | { event: "refused"; tool: string; code: string; message: string }
  | { event: "paused" }
  | { event: "crash"; area: "lock" | "commit" | "takeover" };

export interface Writer {
  readonly pid: number;
  /** The next thing that it says; rejects where it ends instead. */
  next(): Promise<WriterEvent>;
  /** Settles when it has ended and everything that it said was heard. */
  readonly ended: Promise<{ signal: NodeJS.Signals | null }>;
  kill(signal: NodeJS.Signals): void;
  resume(): void;
}

/** Starts a process that saves to the built package's store; killed when the test ends. `hear` gets all that it says. */
export function startWriter(options: WriterOptions, hear: (event: WriterEvent) => void = () => {}): Writer {
  const program = fileURLToPath(new URL("../fixtures/writer.mjs", import.meta.url));
  const child = fork(program, [JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit", "ipc"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const heard: WriterEvent[] = [];
  let wake = () => {};
  const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess["stdout"]> });
  lines.on("line", (line) => {
    const event: WriterEvent = JSON.parse(line);
    heard.push(event);
    hear(event);
    wake();
  });
  let over = false;
  const ended = Promise.all([once(child, "exit"), once(lines, "close")]).then(([[code, signal]]) => {
    over = true;
    wake();
    if (code !== null && code !== 0)
      throw new Error(`a writer ended with code ${code}: is the package built?`);
    return { signal: signal as NodeJS.Signals | null };
  });
  // Whoever waits for it sees the failure; nobody has to.
  ended.catch(() => undefined);
  return {
    pid: child.pid as number,
    ended,
    async next() {
      while (heard.length === 0 && !over) await new Promise<void>((resolve) => (wake = resolve));
      const event = heard.shift();
      if (event === undefined) throw new Error("the writer ended");
      return event;
    },
    kill: (signal) => void child.kill(signal),
    resume: () => void child.send("resume"),
  };
}
