import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@x/redis-server";
import { onTestFinished } from "vitest";

/** A Sentinel that takes a silent master for dead after half a second; ended when the test has ended. Gives its port. */
export async function startSentinel(master: { host: string; port: number }, name: string): Promise<number> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "sentinel-"));
  const file = join(folder, "sentinel.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${folder}`,
    `sentinel monitor ${name} ${master.host} ${master.port} 1`,
    `sentinel down-after-milliseconds ${name} 500`,
    `sentinel failover-timeout ${name} 3000`,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  const child = spawn("/usr/bin/redis-server", [file, "--sentinel"], { stdio: "ignore" });
  onTestFinished(() => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await accepts(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => end(true));
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once("error", () => end(false));
  });
}
