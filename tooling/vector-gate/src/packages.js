import { access, readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The folders that hold packages with tests. */
const PARENTS = ["packages", "packages/adapters", "tests", "examples"];

/** Name, folder and scripts of every package, in the order of the folders. */
export async function listPackages(root) {
  const packages = [];
  for (const parent of PARENTS) {
    for (const entry of await entriesOf(path.join(root, parent))) {
      if (!entry.isDirectory()) continue;
      const directory = path.join(root, parent, entry.name);
      const manifest = await readJson(path.join(directory, "package.json"));
      if (manifest !== null)
        packages.push({ name: manifest.name, directory, scripts: manifest.scripts ?? {} });
    }
  }
  return packages;
}

export function hasTests({ scripts }) {
  return Object.hasOwn(scripts, "test");
}

/** The tests of a vitest report as `{ title, status }`, the title with those of the groups around it; null without a report. */
export async function readReport(directory, file) {
  const report = await readJson(path.join(directory, "reports", file));
  if (report === null) return null;
  return report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({ title: fullName, status })),
  );
}

/** The files that take part in the mutated run, relative to the package. */
export async function vectorTestFiles(directory) {
  const found = [];
  const visit = async (folder) => {
    for (const entry of await entriesOf(path.join(directory, folder))) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) await visit(file);
      else if (entry.name.endsWith(".vectors.test.ts")) found.push(file);
    }
  };
  await visit("test");
  return found;
}

export async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Null where the file does not exist; throws where it is no JSON. */
export async function readJson(file) {
  return (await exists(file)) ? JSON.parse(await readFile(file, "utf8")) : null;
}

/** By name; none where the folder does not exist. */
export async function entriesOf(folder) {
  if (!(await exists(folder))) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}
