import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PUBLISHED, packagesIn, sourcesOf } from "./support/workspace.js";

/** What each package may depend on of ours at run time. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  "@x/permission-core": [],
  "@x/middleware": ["@x/permission-core"],
  "@x/policy": ["@x/permission-core"],
  "@x/grants-file": ["@x/permission-core"],
  "@x/grants-redis": ["@x/permission-core"],
  "@x/ask-channel": ["@x/permission-core"],
  "@x/conformance": ["@x/permission-core"],
};

/** Source folders whose code must run in a browser, and what in them need not. */
const NEUTRAL: readonly { name: string; except: RegExp | null }[] = [
  { name: "@x/permission-core", except: null },
  { name: "@x/middleware", except: /\/ledger\// },
  { name: "@x/policy", except: /\/config\// },
  { name: "@x/ask-channel", except: /\/(terminal|redis|webhook)\// },
  { name: "@x/conformance", except: null },
];

/** What is not published, and bundled into what needs it. */
const INTERNAL: readonly string[] = packagesIn("packages/internal").map(({ manifest }) => manifest.name);

const IMPORTED = /(?:from|import|import\(|require\()\s*["']([@\w./:-]+)["']/g;

function packageOf(name: string) {
  const found = PUBLISHED.find(({ manifest }) => manifest.name === name);
  if (found === undefined) throw new Error(`No package is named ${name}.`);
  return found;
}

describe("the layers", () => {
  it("know every published package", () => {
    expect(PUBLISHED.map(({ manifest }) => manifest.name).sort()).toEqual(Object.keys(MAY_IMPORT).sort());
  });

  it.each(PUBLISHED.map(({ manifest }) => manifest))(
    "let $name depend on what lies below it alone",
    (manifest) => {
      const ours = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter((name) =>
        name.startsWith("@x/"),
      );
      expect(ours.filter((name) => !MAY_IMPORT[manifest.name]?.includes(name))).toEqual([]);
    },
  );

  it("give every package of the repository exactly one tag", () => {
    const all = ["packages", "packages/internal", "examples", "tests", "tooling"].flatMap(packagesIn);
    expect(all.filter(({ tags }) => tags.length !== 1)).toEqual([]);
  });

  it.each(NEUTRAL)("keep Node's own modules out of $name", ({ name, except }) => {
    const offenders = sourcesOf(join(packageOf(name).folder, "src"))
      .filter(({ file }) => except === null || !except.test(file))
      .flatMap(({ file, text }) => [...text.matchAll(IMPORTED)].map(([, module]) => `${file}: ${module}`))
      .filter((line) => / node:| (?:fs|path|os|crypto|util|events|stream)$/.test(line));
    expect(offenders).toEqual([]);
  });

  it("build core for any platform, so that a Node built-in breaks the build", () => {
    const config = readFileSync(join(packageOf("@x/permission-core").folder, "tsup.config.ts"), "utf8");
    expect(config).toContain('platform: "neutral"');
  });

  it.each(PUBLISHED)(
    "import in $manifest.name only what its manifest declares, or is bundled",
    ({ folder, manifest }) => {
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      const known = new Set([...declared, ...INTERNAL]);
      const undeclared = packagesImportedIn(join(folder, "src")).filter((name) => !known.has(name));
      expect(undeclared).toEqual([]);
    },
  );

  it.each(PUBLISHED)("leave nothing in what $manifest.name ships to a package that is not", ({ folder }) => {
    const imported = packagesImportedIn(join(folder, "dist"));
    expect(imported.filter((name) => INTERNAL.includes(name))).toEqual([]);
  });
});

/** Names of the packages that code below a folder imports, Node's own left out. */
function packagesImportedIn(folder: string): string[] {
  return sourcesOf(folder)
    .filter(({ file }) => /\.(?:[cm]?ts|c?js)$/.test(file))
    .flatMap(({ text }) => [...text.matchAll(IMPORTED)].map(([, module]) => module ?? ""))
    .filter((module) => !module.startsWith(".") && !module.startsWith("node:"))
    .map((module) =>
      module
        .split("/")
        .slice(0, module.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}
