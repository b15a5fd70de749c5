import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

describe("the README's example", () => {
  it("runs and prints what its comments say", async () => {
    const readme = await readFile(`${PACKAGE}/README.md`, "utf8");
    const [, example = ""] = readme.match(/```ts\n(.*?)```/s) ?? [];
    const argv = ["--input-type=module", "--eval", example];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: PACKAGE });
    expect(stdout).toBe("Deploy to production? delivered\nApprove\n");
  });
});
