// Runs the tests of the built packages on other releases of Node, whose binaries come from the registry and are kept
// outside the checkout: those of each package with what it has built in the place of its sources, and those that pack the
// packages, install them and load both copies. Reports go to `reports/node-<major>.json` of each.
// Usage, with pnpm on the PATH: node .ci/node-versions.mjs 22 24 26
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "permission-gate", "node");
const binaryPackage = `node-${process.platform}-${process.arch}`;

/** The path of that release's binary, fetched where it is not there yet. */
function nodeOf(major) {
  const folder = join(cache, major);
  const binary = join(folder, "node_modules", binaryPackage, "bin", "node");
  if (existsSync(binary)) return binary;
  mkdirSync(folder, { recursive: true });
  const npm = [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-audit",
    "--no-fund",
    `${binaryPackage}@${major}`,
  ];
  const { status } = spawnSync("npm", npm, { stdio: "inherit" });
  if (status !== 0 || !existsSync(binary)) {
    throw new Error(
      `Node ${major} could not be fetched as ${binaryPackage}@${major}; is the registry within reach?`,
    );
  }
  return binary;
}

/** Folders whose tests vitest runs. */
const packages = [
  ...["packages", "packages/internal", "packages/adapters"]
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap(within),
  "tests/integration",
].map((folder) => join(root, folder));

function within(parent) {
  return readdirSync(join(root, parent))
    .map((name) => join(parent, name))
    .filter((folder) => existsSync(join(root, folder, "vitest.config.ts")));
}

let failed = false;
for (const major of process.argv.slice(2)) {
  const node = nodeOf(major);
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim();
  for (const cwd of packages) {
    const vitest = JSON.parse(readFileSync(join(cwd, "node_modules/vitest/package.json"), "utf8")).bin.vitest;
    const report = `reports/node-${major}.json`;
    const vitestRun = [
      join(cwd, "node_modules/vitest", vitest),
      "run",
      // Most of these tests wait for processes and servers. Files share a process, so that what they import is loaded once;
      // alone, each runs on the release of Node that runs everything else.
      "--maxWorkers=3",
      "--no-isolate",
      "--reporter=json",
      `--outputFile=${report}`,
    ];
    const env = { ...process.env, TEST_BUILT: "1" };
    const { status, stderr } = spawnSync(node, vitestRun, { cwd, env, encoding: "utf8" });
    const counts = existsSync(join(cwd, report)) ? JSON.parse(readFileSync(join(cwd, report), "utf8")) : {};
    const { numPassedTests = 0, numFailedTests = 0 } = counts;
    console.log(
      `Node ${version}: ${cwd.slice(root.length + 1)}: ${numPassedTests} passed, ${numFailedTests} failed`,
    );
    if (status === 0) continue;
    failed = true;
    console.log(stderr);
  }
}
process.exitCode = failed ? 1 : 0;
