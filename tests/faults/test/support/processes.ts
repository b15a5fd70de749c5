import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pauseProcess } from "@x/redis-server";
import { afterAll, expect, onTestFinished } from "vitest";
import { until } from "./until.js";

/** How long a process that was told to stop may take. */
const STOPPED_WITHIN_MS = 15_000;

/** One of the built programs. Killed with the test that started it, unless it has ended. */
export class Program<Command extends object> {
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;

  constructor(name: "worker" | "approver", options: object, onEvent: (event: never) => void) {
    const program = fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
    const child = fork(program, [JSON.stringify(options)]);
    this.#child = child;
    this.#exit = once(child, "exit");
    child.on("message", onEvent as (event: unknown) => void);
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await this.#exit;
    });
  }

  /** Waits until it has said that it is ready. Throws where it ended instead. */
  async ready(isReady: () => boolean): Promise<void> {
    await until(() => isReady() || this.#child.exitCode !== null, "the process is ready");
    if (!isReady()) throw new Error(`the process ended with code ${this.#child.exitCode}: it said why`);
  }

  /** The signal that ended it; null where it ended by itself with code 0. Fulfils when it has ended. */
  async ended(): Promise<NodeJS.Signals | null> {
    await this.#exit;
    const { exitCode, signalCode } = this.#child;
    if (signalCode === null && exitCode !== 0) throw new Error(`the process ended with code ${exitCode}`);
    return signalCode;
  }

  tell(command: Command): void {
    this.#child.send(command);
  }

  pause(): Promise<void> {
    return pauseProcess(this.#child);
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** SIGKILL. Fulfils when it has ended. */
  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    expect(await this.ended()).toBe("SIGKILL");
  }

  /** `stop` is its last command: it must end by itself, since nothing keeps it. */
  async stop(stop: Command): Promise<void> {
    this.tell(stop);
    const late = setTimeout(() => this.#child.kill("SIGABRT"), STOPPED_WITHIN_MS);
    const signal = await this.ended();
    clearTimeout(late);
    expect(signal, "the process that was told to stop ends by itself").toBeNull();
  }
}

/** Once all tests of a file are over, none of the processes that they started is left. */
export function expectNoProcessLeft(): void {
  afterAll(() => {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
    expect(children.trim(), "processes that are left").toBe("");
  });
}
