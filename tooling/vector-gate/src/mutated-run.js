import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import path from "node:path";

/** How much of a run's output is kept, to say why there is no report. */
const KEPT_CHARACTERS = 2000;

/**
 * Runs the package's own vitest on these files with changed answers; it writes `reports/mutated.json`. That tests fail is
 * what is wanted, so its exit code says nothing. Gives the end of what it printed.
 */
export async function runMutated(directory, files) {
  await rm(path.join(directory, "reports/mutated.json"), { force: true });
  const vitest = path.join(directory, "node_modules/vitest/vitest.mjs");
  // The default reporter would print every failure.
  const child = spawn(process.execPath, [vitest, "run", "--reporter=json", ...files], {
    cwd: directory,
    env: { ...process.env, VECTORS_MUTATED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-KEPT_CHARACTERS);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  await new Promise((resolve) => {
    child.on("error", (error) => {
      keep(error.message);
      resolve();
    });
    child.on("close", resolve);
  });
  return output.trim();
}
