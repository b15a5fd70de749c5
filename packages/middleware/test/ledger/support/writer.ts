import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { JsonlLedgerOptions } from "../../../src/ledger/index.js";

/** Another process with a ledger of the built package. */
export interface Writer {
  readonly process: ChildProcess;
  /** Writes lines, and gives the file that took them. */
  write(lines: number, bytes?: number): Promise<{ file: string; pid: number; head: string | null }>;
  close(): Promise<void>;
  kill(): Promise<void>;
}

export async function startWriter(options: Partial<JsonlLedgerOptions>): Promise<Writer> {
  const program = fileURLToPath(new URL("writer.mjs", import.meta.url));
  const child = fork(program, [JSON.stringify(options)]);
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  const answer = async () => {
    const message = await Promise.race([once(child, "message"), ended]);
    if (child.exitCode !== null) throw new Error("the writer ended: is the package built?");
    return message[0] as { file: string; pid: number; head: string | null };
  };
  await answer();
  const tell = (message: object) => {
    const answered = answer();
    child.send(message);
    return answered;
  };
  return {
    process: child,
    write: (write, bytes) => tell({ write, bytes }),
    async close() {
      await tell({ close: true });
      child.disconnect();
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
