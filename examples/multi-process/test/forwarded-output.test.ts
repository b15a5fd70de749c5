import { RedisProcess } from "@x/redis-server";
import { expect, it } from "vitest";
import { ProgramRun } from "./support/run-program.js";

const LINES = 3_000;
const ROLES = ["phone", "callbacks", "desk"];

/** Loaded before each role: it prints more than a pipe holds, and fails. */
const FAILING = `
  const [, program = "", role] = process.argv;
  if (program.endsWith("role.js")) {
    for (let line = 1; line <= ${LINES}; line += 1) console.error(role, line);
    await new Promise((resolve) => process.stderr.write("", resolve));
    throw new Error("last words of " + role);
  }
`;

it("passes on what each process printed, in order and to its last words, also where it failed", async () => {
  await using server = await RedisProcess.start();
  const preload = `--import=data:text/javascript,${encodeURIComponent(FAILING)}`;
  const run = new ProgramRun([], { REDIS_URL: server.url, NODE_OPTIONS: preload });
  expect(await run.ended).toBe(1);
  const lines = run.stderr.split("\n");
  for (const role of ROLES) {
    const numbers = lines.flatMap((line) =>
      line.startsWith(`${role} `) ? [Number(line.split(" ")[1])] : [],
    );
    expect(numbers, role).toEqual(Array.from({ length: LINES }, (_, index) => index + 1));
    expect(lines).toContain(`Error: last words of ${role}`);
  }
  expect(run.facts("failed")).toEqual([ROLES.join(", ")]);
});
