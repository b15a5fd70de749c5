// Adds up the runners' JSON reports and prints `N passed, N failed`; exit code 1 where one failed or none ran.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const folders = ["packages", "packages/internal", "examples", "tests", "tooling"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name, "reports")),
);
const reports = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  // The mutated run is meant to fail; the vector gate judges it.
  .filter((file) => file.endsWith(".json") && !file.endsWith("mutated.json"))
  .map((file) => JSON.parse(readFileSync(file, "utf8")));

const sum = (key) => reports.reduce((total, report) => total + (report[key] ?? 0), 0);
const passed = sum("numPassedTests");
const failed = sum("numFailedTests");
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
