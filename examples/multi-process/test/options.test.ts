import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ProgramRun } from "./support/run-program.js";

it("tells with --help what it shows, its options, and how it is stopped, and runs nothing", async () => {
  const run = new ProgramRun(["--help"]);
  expect(await run.ended).toBe(0);
  expect(run.stdout).toMatch(/^Usage: demo:processes \[options\]\n/);
  for (const told of ["--local", "REDIS_URL", "15 s", "60 s", "Ctrl-C"]) expect(run.stdout).toContain(told);
  expect(Math.max(...run.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(120);
  expect(run.stderr).toBe("");
  expect(run.files).toEqual([]);
});

it("ends with code 2 for an option that it does not know", async () => {
  const run = new ProgramRun(["--lokal"]);
  expect(await run.ended).toBe(2);
  expect(run.stderr).toBe("multi-process: Unknown option '--lokal'; --help tells the options.\n");
  expect(run.stdout).toBe("");
});

it("takes the redis-server that PATH finds first", async () => {
  const folder = mkdtempSync(join(tmpdir(), "multi-process-path-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "redis-server"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
  const run = new ProgramRun([], { PATH: `${join(folder, "none")}:${folder}:${process.env["PATH"]}` });
  expect(await run.ended).toBe(2);
  expect(run.stderr).toMatch(
    /redis-server ended with code 7 on port \d+\. Or set REDIS_URL, or take --local\.\n$/,
  );
});
