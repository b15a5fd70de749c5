import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));

it("asks by webhook, is answered by callback, and runs only what was approved", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [PROGRAM], { timeout: 15_000 });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "the agent wants to deploy to staging",
    "  the phone shows: Deploy? (staging)",
    '  the phone is told: 200 {"status":"delivered","message":"The answer reached the call that waits."}',
    "  ask_allowed: deployed to staging",
    "the agent wants to deploy to production",
    "  the phone shows: Deploy? (production)",
    '  the phone is told: 200 {"status":"delivered","message":"The answer reached the call that waits."}',
    "  ask_denied: Permission denied by user: not on a Friday for tool 'deploy'",
    "",
  ]);
});
