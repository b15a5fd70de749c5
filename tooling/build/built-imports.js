import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** `import { a, type B } from "../src/c.js"`, and the same for types alone. */
const SOURCE_IMPORT = /^import (type )?\{([^}]*)\} from "((?:\.\.\/)+src\/[^"]+)";/gm;

/**
 * Has tests import what the package has built instead of its sources, wherever a built entry exports all the names that
 * they import. What only the sources have is imported from there, and is a second copy then.
 */
export function builtImports(root = process.cwd()) {
  const entries = exportsOf(root);
  const tests = path.join(root, "test") + path.sep;
  return {
    name: "built-imports",
    enforce: "pre",
    async transform(code, id) {
      if (!id.startsWith(tests)) return null;
      return withBuiltImports(code, await entries);
    },
  };
}

/** The text of a test in which the imports stand that `entries`, each a file and the names that it exports, allow. */
export function withBuiltImports(code, entries) {
  return code.replace(SOURCE_IMPORT, (statement, isType, list, source) => {
    const wanted = isType === undefined ? valuesOf(list) : [];
    const fitting = entries.find(({ names }) => wanted.every((name) => names.has(name)));
    if (wanted.length === 0 || fitting === undefined) return statement;
    return statement.replace(`"${source}"`, JSON.stringify(fitting.file));
  });
}

/** Tests that put something in the place of one source file, as globs: within what was built there is nothing to replace. */
export function testsOfReplacedSources(root = process.cwd()) {
  const tests = path.join(root, "test");
  if (!existsSync(tests)) return [];
  return readdirSync(tests, { recursive: true })
    .filter((file) => file.endsWith(".test.ts"))
    .filter((file) => /vi\.mock\("(\.\.\/)+src\//.test(readFileSync(path.join(tests, file), "utf8")))
    .map((file) => `test/${file}`);
}

/** The names that are more than types, as they are exported. */
function valuesOf(list) {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => name.split(" as ")[0]);
}

/** Every entry of the package as Node imports it, with the names that it exports. */
async function exportsOf(root) {
  const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const files = Object.values(manifest.exports ?? {})
    .map((conditions) => conditions.import?.default)
    .filter((file) => file !== undefined)
    .map((file) => path.join(root, file));
  return Promise.all(
    files.map(async (file) => ({
      file,
      names: new Set(Object.keys(await import(pathToFileURL(file).href))),
    })),
  );
}
