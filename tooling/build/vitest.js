import { defineConfig } from "vitest/config";
import { builtImports, testsOfReplacedSources } from "./built-imports.js";
import { luaText } from "./lua-text.js";

/**
 * Every package reports to the terminal and, for the sum over all packages, to `reports/test.json`. With the environment
 * variable `TEST_BUILT` set, tests run what was built, as the host imports it.
 */
export function testConfig(overrides = {}) {
  const runsBuilt = Boolean(process.env.TEST_BUILT);
  return defineConfig({
    plugins: runsBuilt ? [luaText(), builtImports()] : [luaText()],
    test: {
      include: ["test/**/*.test.ts"],
      reporters: ["default", "json"],
      outputFile: { json: process.env.VECTORS_MUTATED ? "reports/mutated.json" : "reports/test.json" },
      testTimeout: 20_000,
      ...overrides,
      ...(runsBuilt && {
        server: { deps: { external: [/\/dist\/[\w-]+\.js$/] } },
        exclude: [...(overrides.exclude ?? []), ...testsOfReplacedSources()],
      }),
    },
  });
}
