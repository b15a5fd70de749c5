import path from "node:path";
import { pathToFileURL } from "node:url";
import { entriesOf, exists, readJson } from "./packages.js";

const CONFORMANCE = "packages/conformance";
const COVERAGE = "coverage.json";

/**
 * The ids of all vectors and cases, which cases are covered and which wait, and the deliberate differences. `problem`
 * instead where the conformance package is not built.
 */
export async function readData(root) {
  const conformance = path.join(root, CONFORMANCE);
  const built = path.join(conformance, "dist/index.js");
  if (!(await exists(built))) return { problem: `${CONFORMANCE} is not built` };
  const { deliberateDifferences } = await import(pathToFileURL(built).href);

  const vectors = [];
  for (const origin of await entriesOf(path.join(conformance, "vectors"))) {
    for (const file of await entriesOf(path.join(conformance, "vectors", origin.name))) {
      const group = await readJson(path.join(conformance, "vectors", origin.name, file.name));
      vectors.push(...group.map(({ id }) => id));
    }
  }
  const cases = [];
  for (const file of await entriesOf(path.join(conformance, "cases"))) {
    if (file.name === COVERAGE) continue;
    const area = await readJson(path.join(conformance, "cases", file.name));
    cases.push(...area.cases.map(({ id }) => id));
  }
  const { covered, waits } = await readJson(path.join(conformance, "cases", COVERAGE));
  return { data: { vectors, cases, covered, waits, differences: deliberateDifferences } };
}
