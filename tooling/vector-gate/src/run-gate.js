import { readData } from "./data.js";
import { judgeCases, judgeDifferences, judgeMutants, judgeVectors } from "./judge.js";
import { runMutated } from "./mutated-run.js";
import { hasTests, listPackages, readReport, vectorTestFiles } from "./packages.js";

/**
 * Holds the packages' test reports against the known answers and the cases, then runs the vectors' tests on changed
 * answers. Gives the number of things checked, one line for each that is wrong, and notes that are no failure.
 */
export async function runGate(root) {
  const { data, problem } = await readData(root);
  if (problem !== undefined) return { checks: 1, problems: [problem], notes: [] };

  const packages = await listPackages(root);
  const reported = await reportsOf(
    packages.filter(hasTests),
    "test.json",
    "has no test report: its tests did not run",
  );
  const mutated = await mutatedReports(packages);

  const judgements = [
    {
      checks: packages.filter(hasTests).length,
      problems: [...reported.problems, ...mutated.problems],
      notes: [],
    },
    judgeDifferences(data),
    judgeVectors(data, reported.tests),
    judgeCases(data, reported.tests),
    judgeMutants(data, mutated.tests),
  ];
  return {
    checks: judgements.reduce((sum, { checks }) => sum + checks, 0),
    problems: judgements.flatMap(({ problems }) => problems),
    notes: judgements.flatMap(({ notes }) => notes),
  };
}

async function mutatedReports(packages) {
  const tests = [];
  const problems = [];
  for (const item of packages) {
    const files = await vectorTestFiles(item.directory);
    if (files.length === 0) continue;
    const output = await runMutated(item.directory, files);
    const report = await reportsOf([item], "mutated.json", `has no report of the mutated run: ${output}`);
    tests.push(...report.tests);
    problems.push(...report.problems);
  }
  return { tests, problems };
}

async function reportsOf(packages, file, complaint) {
  const tests = [];
  const problems = [];
  for (const { name, directory } of packages) {
    const report = await readReport(directory, file);
    if (report === null) problems.push(`${name} ${complaint}`);
    else tests.push(...report);
  }
  return { tests, problems };
}
