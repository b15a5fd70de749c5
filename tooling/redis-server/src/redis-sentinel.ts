import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { redisPath } from "./redis-path.js";
import { RedisProcess } from "./redis-process.js";

const READY_WITHIN_MS = 15_000;

/** A master, its replica, and a real Sentinel that lets the replica take over once the master was silent for half a second. */
export class RedisSentinel implements AsyncDisposable {
  /** what clients ask the Sentinel for */
  readonly name = "mymaster";
  readonly host = "127.0.0.1";
  readonly port: number;
  /** as it is at the start */
  readonly master: RedisProcess;
  readonly replica: RedisProcess;
  /** the Sentinel writes there */
  readonly #folder = mkdtempSync(join(tmpdir(), "redis-sentinel-"));
  #process: ChildProcess | null = null;

  private constructor(port: number, master: RedisProcess, replica: RedisProcess) {
    this.port = port;
    this.master = master;
    this.replica = replica;
  }

  /** Resolves once the replica follows the master, and the Sentinel knows of both. */
  static async start(): Promise<RedisSentinel> {
    const master = await RedisProcess.start();
    const replica = await RedisProcess.start(["--replicaof", master.host, `${master.port}`]);
    const sentinel = new RedisSentinel(await freePort(), master, replica);
    await holds(master, "INFO replication", /state=online/);
    sentinel.#watch();
    await holds(sentinel, "INFO sentinel", /slaves=1,/);
    return sentinel;
  }

  /** Ends all three, and leaves nothing behind. */
  async close(): Promise<void> {
    process.removeListener("exit", this.#kill);
    const child = this.#process;
    this.#process = null;
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    }
    rmSync(this.#folder, { recursive: true, force: true });
    await Promise.all([this.master.close(), this.replica.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #watch(): void {
    const file = join(this.#folder, "sentinel.conf");
    const lines = [
      `port ${this.port}`,
      `bind ${this.host}`,
      `dir ${this.#folder}`,
      `sentinel monitor ${this.name} ${this.master.host} ${this.master.port} 1`,
      `sentinel down-after-milliseconds ${this.name} 500`,
      `sentinel failover-timeout ${this.name} 3000`,
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    this.#process = spawn(redisPath(), [file, "--sentinel"], { stdio: "ignore" });
    process.once("exit", this.#kill);
  }

  readonly #kill = (): void => {
    this.#process?.kill("SIGKILL");
  };
}

/** Resolves once the server's reply to the command is of that form. */
async function holds(at: { host: string; port: number }, command: string, form: RegExp): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (!form.test(await replyOf(at, command))) {
    if (Date.now() > until) throw new Error(`${command} on port ${at.port} did not come to ${form} in time.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The reply to one inline command, as far as it comes at once; empty where nobody listens. */
function replyOf({ host, port }: { host: string; port: number }, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => socket.write(`${command}\r\n`));
    const end = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.once("data", (data) => end(String(data)));
    socket.once("error", () => end(""));
  });
}
