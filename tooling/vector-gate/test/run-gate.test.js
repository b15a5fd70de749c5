import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, it } from "vitest";
import { readJson } from "../src/packages.js";
import { runGate } from "../src/run-gate.js";

const roots = [];
let root;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "vector-gate-"));
  roots.push(root);
  const conformance = "packages/conformance";
  await put(`${conformance}/dist/index.js`, "export const deliberateDifferences = [];");
  await put(`${conformance}/vectors/x/a.json`, [{ id: "x/a/01-one" }]);
  await put(`${conformance}/cases/core.json`, { cases: [{ id: "CASE-001" }] });
  await put(`${conformance}/cases/coverage.json`, { covered: ["CASE-001"], waits: [] });
  await put("packages/gate/package.json", { name: "gate", scripts: { test: "vitest run" } });
  await put("packages/gate/test/deep/gate.vectors.test.ts", "");
  await put("packages/gate/test/other.test.ts", "");
  await put("packages/gate/reports/test.json", report("passed", "[x/a/01-one] one", "[CASE-001] a case"));
  await fakeVitest(report("failed", "[x/a/01-one] one (hex changed)"));
});

afterAll(async () => {
  for (const item of roots) await rm(item, { recursive: true });
});

it("is content when tests passed, and failed on changed answers", async () => {
  assert.deepEqual(await runGate(root), { checks: 5, problems: [], notes: [] });
});

it("runs the vectors' tests alone, in the package, with the variable set", async () => {
  await runGate(root);
  assert.deepEqual(await readJson(path.join(root, "packages/gate/call.json")), {
    args: ["run", "--reporter=json", path.join("test", "deep", "gate.vectors.test.ts")],
    mutated: "1",
  });
});

it("names a test that passes on a changed answer", async () => {
  await fakeVitest(report("passed", "[x/a/01-one] one (hex changed)"));
  assert.deepEqual((await runGate(root)).problems, [
    "x/a/01-one: passed although its answer was changed: [x/a/01-one] one (hex changed)",
  ]);
});

it("names a package without a report, and one whose mutated run left none", async () => {
  await put("tests/integration/package.json", { name: "integration", scripts: { test: "vitest run" } });
  await put("examples/demo/package.json", { name: "demo", scripts: { build: "tsup" } });
  await put("packages/gate/reports/mutated.json", report("failed", "[x/a/01-one] from an earlier run"));
  await fakeVitest(null);
  assert.deepEqual((await runGate(root)).problems, [
    "integration has no test report: its tests did not run",
    "gate has no report of the mutated run: no files matched",
    "x/a/01-one: has no test in a *.vectors.test.ts file",
  ]);
});

it("says that the data is not built", async () => {
  await rm(path.join(root, "packages/conformance/dist"), { recursive: true });
  assert.deepEqual((await runGate(root)).problems, ["packages/conformance is not built"]);
});

function report(status, ...titles) {
  return { testResults: [{ assertionResults: titles.map((fullName) => ({ fullName, status })) }] };
}

async function put(file, content) {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, typeof content === "string" ? content : JSON.stringify(content));
  return target;
}

/** Stands in for the package's runner: notes how it was called, and leaves this report, or none. */
async function fakeVitest(mutated) {
  const script = `import { mkdirSync, writeFileSync } from "node:fs";
const call = { args: process.argv.slice(2), mutated: process.env.VECTORS_MUTATED };
writeFileSync("call.json", JSON.stringify(call));
const report = ${JSON.stringify(mutated)};
mkdirSync("reports", { recursive: true });
if (report === null) console.error("no files matched");
else writeFileSync("reports/mutated.json", JSON.stringify(report));
process.exitCode = 1;
`;
  await put("packages/gate/node_modules/vitest/vitest.mjs", script);
}
