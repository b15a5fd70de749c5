import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const IMPORTED = /(?:from|import)\s*["']([^"']+)["']/g;

/** The packages that a built file imports, itself or by the files it imports. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const path = fileURLToPath(new URL(`../../dist/${file}`, import.meta.url));
  return [...readFileSync(path, "utf8").matchAll(IMPORTED)].flatMap(([, name = ""]) =>
    name.startsWith("./") ? packagesOf(name.slice(2), seen) : [name],
  );
}

describe("the built entries", () => {
  it("need OpenTelemetry in `./otel` alone, and Node in `./ledger` alone", () => {
    expect(packagesOf("otel.js")).toContain("@opentelemetry/api");
    expect(packagesOf("ledger.js")).toContain("node:fs/promises");
    for (const entry of ["index.js", "testing.js", "json-schema.js"]) {
      expect(packagesOf(entry).filter((name) => /^node:|^@opentelemetry\//.test(name))).toEqual([]);
    }
    expect(packagesOf("otel.js").filter((name) => name.startsWith("node:"))).toEqual([]);
    expect(packagesOf("ledger.js").filter((name) => name.startsWith("@opentelemetry/"))).toEqual([]);
  });
});
