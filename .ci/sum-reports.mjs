// Adds up the runners' JSON reports: prints what failed, so that the end of a long run tells it, and `N passed, N failed`;
// exit code 1 where one failed or none ran.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const MESSAGE_CHARACTERS = 2000;

const folders = ["packages", "packages/internal", "examples", "tests", "tooling"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name, "reports")),
);
const files = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  // The mutated run is meant to fail; the vector gate judges it.
  .filter((file) => file.endsWith(".json") && !file.endsWith("mutated.json"));

let passed = 0;
let failed = 0;
for (const file of files) {
  const { numPassedTests = 0, numFailedTests = 0, testResults = [] } = JSON.parse(readFileSync(file, "utf8"));
  passed += numPassedTests;
  failed += numFailedTests;
  for (const { name, status, message, assertionResults } of testResults) {
    const failures = assertionResults.filter((test) => test.status === "failed");
    // A file that could not be loaded has no tests.
    if (failures.length === 0 && status === "failed") tell(file, name, "", [message]);
    for (const { fullName, failureMessages } of failures) tell(file, name, fullName, failureMessages);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function tell(report, testFile, test, messages) {
  const text = messages.join("\n").slice(0, MESSAGE_CHARACTERS);
  console.log(`Failed (${relative(root, report)}): ${relative(root, testFile)} ${test}\n${text}\n`);
}
