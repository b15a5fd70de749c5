import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RedisProcess } from "@x/redis-server";
import { describe, expect, it } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

describe("the README's examples", () => {
  it("run and print what their comments say", async () => {
    const readme = await readFile(`${PACKAGE}/README.md`, "utf8");
    const examples = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, text = ""]) => text);
    await using server = await RedisProcess.start();
    const env = { ...process.env, REDIS_URL: server.url };
    const printing = examples.filter((text) => text.includes("console.log"));
    const outputs = printing.map(async (text) => {
      const argv = ["--input-type=module", "--eval", text];
      return (await promisify(execFile)(process.execPath, argv, { cwd: PACKAGE, env })).stdout;
    });
    expect(await Promise.all(outputs)).toEqual([
      "Deploy to production? delivered\nApprove\n",
      "{ resolution: 'Approve', decided_by: 'ana + bob' }\n",
      "false 405\n",
      "deploy delivered\n{ decided_by: 'ana', resolution: 'Approve' }\n",
    ]);
  });
});
