#!/usr/bin/env node
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runGate } from "./src/run-gate.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { checks, problems, notes } = await runGate(root);

for (const note of notes) console.log(`vector gate: note: ${note}`);
for (const problem of problems) console.error(`vector gate: ${problem}`);
console.log(`vector gate: ${checks} checks, ${problems.length} problems`);

// The fields of a vitest report, so that these checks count in the sum over all packages.
const reports = new URL("./reports/", import.meta.url);
const numFailedTests = Math.min(problems.length, checks);
const report = { numTotalTests: checks, numPassedTests: checks - numFailedTests, numFailedTests };
await mkdir(reports, { recursive: true });
await writeFile(new URL("vector-gate.json", reports), `${JSON.stringify(report)}\n`);
if (problems.length > 0) process.exitCode = 1;
