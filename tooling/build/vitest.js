import { defineConfig } from "vitest/config";

/** Every package reports to the terminal and, for the sum over all packages, to `reports/test.json`. */
export function testConfig(overrides = {}) {
  return defineConfig({
    test: {
      include: ["test/**/*.test.ts"],
      reporters: ["default", "json"],
      outputFile: { json: process.env.VECTORS_MUTATED ? "reports/mutated.json" : "reports/test.json" },
      testTimeout: 20_000,
      ...overrides,
    },
  });
}
