import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { pauseProcess } from "./pause-process.js";
import { redisPath } from "./redis-path.js";

/** How long a server may take until it answers. */
const READY_WITHIN_MS = 15_000;

/** A real `redis-server` on a free port of loopback, that keeps nothing on disk. */
export class RedisProcess implements AsyncDisposable {
  readonly host = "127.0.0.1";
  readonly port: number;
  readonly #args: readonly string[];
  /** its working folder: a Cluster's node writes there */
  readonly #folder = mkdtempSync(join(tmpdir(), "redis-server-"));
  #process: ChildProcess | null = null;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
  }

  /**
   * Resolves once it answers, and leaves nothing where it does not. `args` are added to its command line, such as
   * `["--requirepass", "secret"]`.
   */
  static async start(args: readonly string[] = []): Promise<RedisProcess> {
    const server = new RedisProcess(await freePort(), args);
    try {
      await server.start();
    } catch (error) {
      await server.close();
      throw error;
    }
    return server;
  }

  get url(): string {
    return `redis://${this.host}:${this.port}`;
  }

  /** Starts it again on its port, empty. Resolves once it answers. */
  async start(): Promise<void> {
    if (this.#process !== null) throw new Error(`The server on port ${this.port} runs.`);
    const args = ["--port", `${this.port}`, "--bind", this.host, "--save", "", "--appendonly", "no"];
    const child = spawn(redisPath(), [...args, "--dir", this.#folder, ...this.#args], { stdio: "ignore" });
    this.#process = child;
    process.once("exit", this.#kill);
    const failed = new Promise<never>((_, reject) => {
      child.once("error", reject);
      child.once("exit", (code) =>
        reject(new Error(`redis-server ended with code ${code} on port ${this.port}.`)),
      );
    });
    let hasFailed = false;
    failed.catch(() => {
      hasFailed = true;
    });
    await Promise.race([this.#answers(() => hasFailed), failed]);
  }

  /** SIGSTOP: it holds its connections and answers nothing. Resolves once it stands still. */
  async pause(): Promise<void> {
    if (this.#process !== null) await pauseProcess(this.#process);
  }

  /** SIGCONT. */
  resume(): void {
    this.#process?.kill("SIGCONT");
  }

  /** SIGKILL; all that it held is lost. Resolves once it has gone. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    process.removeListener("exit", this.#kill);
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  }

  /** Ends it, and leaves nothing behind. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  readonly #kill = (): void => {
    this.#process?.kill("SIGKILL");
  };

  async #answers(hasFailed: () => boolean): Promise<void> {
    const until = Date.now() + READY_WITHIN_MS;
    while (!hasFailed() && !(await pings(this.host, this.port))) {
      if (Date.now() > until) throw new Error(`redis-server did not answer on port ${this.port} in time.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Whether a server there answers at all: to one that wants a password, `PING` is refused, which is an answer. */
function pings(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write("PING\r\n"));
    const end = (answered: boolean) => {
      socket.destroy();
      resolve(answered);
    };
    socket.once("data", (data) => end(/^\+PONG|^-NOAUTH|^-NOPERM/.test(String(data))));
    socket.once("error", () => end(false));
  });
}
