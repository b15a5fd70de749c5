import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFile } from "./support/temporary-file.js";

const PROGRAM = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const REMEMBERED = "deployed to staging by allow of grant\n";

/** The built program, which a user runs too. */
async function run(file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, file]);
  return stdout;
}

it("asks in the first run, and remembers in the second", async () => {
  const { file, remove } = temporaryFile();
  onTestFinished(remove);
  expect(await run(file)).toBe(
    "Deploy to staging? Yes, and always for this call.\ndeployed to staging by ask_allowed of ask_resolver\n",
  );
  expect(await run(file)).toBe(REMEMBERED);
});

it("may run at once with others on one database", async () => {
  const { file, remove } = temporaryFile();
  onTestFinished(remove);
  const first = await Promise.all([run(file), run(file), run(file)]);
  for (const output of first) expect(output).toMatch(/^deployed to staging by /m);
  expect(await run(file)).toBe(REMEMBERED);
});
