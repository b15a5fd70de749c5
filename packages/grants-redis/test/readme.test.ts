import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { RedisProcess } from "@x/redis-server";
import { expect, it } from "vitest";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));

it("has a README whose examples run on the built package, and print what they say", async () => {
  const server = await RedisProcess.start();
  const readme = readFileSync(`${packageFolder}README.md`, "utf8");
  const examples = Array.from(readme.matchAll(/```ts\n(.*?)```/gs), ([, code]) => code ?? "");
  expect(examples).toHaveLength(3);
  for (const example of examples) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", example],
      {
        cwd: packageFolder,
        env: { ...process.env, REDIS_URL: server.url },
      },
    );
    const said = Array.from(example.matchAll(/console\.log\(.*\/\/ (.*)$/gm), ([, line]) => line);
    expect(stdout.trimEnd().split("\n")).toEqual(said);
  }
  await server.close();
});
