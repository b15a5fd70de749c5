import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { testsOfReplacedSources, withBuiltImports } from "../built-imports.js";

const ENTRIES = [
  { file: "/p/dist/index.js", names: new Set(["createGate", "Hook"]) },
  { file: "/p/dist/ledger.js", names: new Set(["openLedger"]) },
];

it.each([
  ['import { createGate } from "../src/index.js";', 'import { createGate } from "/p/dist/index.js";'],
  [
    'import {\n  createGate as make,\n  type Gate,\n} from "../../src/gate/create-gate.js";',
    'import {\n  createGate as make,\n  type Gate,\n} from "/p/dist/index.js";',
  ],
  ['import { openLedger } from "../src/ledger/open.js";', 'import { openLedger } from "/p/dist/ledger.js";'],
])("takes from what was built what that exports: %j", (source, built) => {
  assert.equal(withBuiltImports(source, ENTRIES), built);
});

it.each([
  'import { decideWait } from "../src/wait.js";',
  'import { createGate, decideWait } from "../src/wait.js";',
  'import type { createGate } from "../src/index.js";',
  'import { type Gate } from "../src/index.js";',
  'import { createGate } from "./support/gates.js";',
])("leaves to the sources what only they have, types, and what is no source: %j", (source) => {
  assert.equal(withBuiltImports(source, ENTRIES), source);
});

it("finds the tests that replace a source file", () => {
  const root = mkdtempSync(path.join(tmpdir(), "built-imports-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  assert.deepEqual(testsOfReplacedSources(root), []);
  mkdirSync(path.join(root, "test/disk"), { recursive: true });
  writeFileSync(path.join(root, "test/disk/full.test.ts"), 'vi.mock("../../src/disk.js", () => ({}));\n');
  writeFileSync(path.join(root, "test/plain.test.ts"), 'vi.mock("node:fs");\n');
  expect(testsOfReplacedSources(root)).toEqual(["test/disk/full.test.ts"]);
});
