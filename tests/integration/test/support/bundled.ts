import { readdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspacePackage } from "./workspace.js";

/** A package whose code stands in files of ours. */
export interface Bundled {
  name: string;
  version: string;
  license: string;
}

interface InstalledManifest {
  version: string;
  dependencies?: Record<string, string>;
}

/**
 * Whose code the CommonJS files in `dist` hold: of what the ES modules import, the packages that CommonJS does not
 * `require`; and of what those depend on, the same.
 */
export async function bundledInCommonJs(
  dist: string,
  { folder, manifest }: WorkspacePackage,
): Promise<Bundled[]> {
  const imported = namesIn(await textOf(dist, ".js"), /(?:from|import)\s*\(?["']([^"']+)["']/g);
  const required = namesIn(await textOf(dist, ".cjs"), /require\(["']([^"']+)["']\)/g);
  const bundled = new Map<string, Bundled>();
  const add = async (name: string, modules: string) => {
    if (required.has(name) || bundled.has(name)) return;
    const place = await realpath(join(modules, name));
    const { version, dependencies = {} } = JSON.parse(
      await readFile(join(place, "package.json"), "utf8"),
    ) as InstalledManifest;
    bundled.set(name, { name, version, license: await licenseIn(place) });
    // What it depends on is installed beside it.
    const beside = place.slice(0, -name.length);
    for (const dependency of Object.keys(dependencies)) await add(dependency, beside);
  };
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    if (imported.has(name)) await add(name, join(folder, "node_modules"));
  }
  return [...bundled.values()];
}

async function textOf(dist: string, extension: string): Promise<string> {
  const names = (await readdir(dist)).filter((name) => name.endsWith(extension));
  const texts = await Promise.all(names.map((name) => readFile(join(dist, name), "utf8")));
  return texts.join("\n");
}

/** Of the packages only: `@scope/name` of `@scope/name/deep.js`. */
function namesIn(text: string, pattern: RegExp): Set<string> {
  const modules = Array.from(text.matchAll(pattern), ([, module = ""]) => module);
  return new Set(
    modules.map((module) =>
      module
        .split("/")
        .slice(0, module.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  );
}

async function licenseIn(place: string): Promise<string> {
  const name = (await readdir(place)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
  if (name === undefined) throw new Error(`${place} has no file with its licence.`);
  return readFile(join(place, name), "utf8");
}
