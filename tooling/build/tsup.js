import { defineConfig } from "tsup";
import { bundledLuaText } from "./lua-text.js";

/**
 * ESM with every dependency external, and CommonJS with the ESM-only ones bundled in: CommonJS test runners and
 * older loaders cannot `require` those. Each format gets its own declarations; `lib` names those of TypeScript that they need
 * beside its default ones. Both are built at once, and tsup's cleaning would take the declarations of either: whoever builds
 * removes `dist` before.
 */
export function packageConfig({ entry, platform = "node", bundle = [], bundleInCjs = [], lib }) {
  const shared = {
    entry,
    platform,
    target: "es2022",
    sourcemap: false,
    treeshake: true,
    removeNodeProtocol: false,
    splitting: true,
    esbuildPlugins: [bundledLuaText],
    noExternal: bundle,
    dts: {
      resolve: bundle,
      compilerOptions: { ignoreDeprecations: "6.0" },
      ...(lib !== undefined && { banner: `/// <reference lib="${lib}" />` }),
    },
  };
  return defineConfig([
    {
      ...shared,
      format: ["esm"],
      outExtension: () => ({ js: ".js", dts: ".d.ts" }),
    },
    {
      ...shared,
      format: ["cjs"],
      noExternal: [...bundle, ...bundleInCjs],
      outExtension: () => ({ js: ".cjs", dts: ".d.cts" }),
    },
  ]);
}

/** A program that is run, not imported: ESM only, no declarations. */
export function programConfig({ entry }) {
  return defineConfig({
    entry,
    platform: "node",
    target: "es2022",
    format: ["esm"],
    clean: true,
    dts: false,
  });
}
