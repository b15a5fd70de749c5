import { readFileSync } from "node:fs";

/** Has a test import a `.lua` file as its text, as the build bundles it. */
export function luaText() {
  return {
    name: "lua-text",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".lua")) return null;
      return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
    },
  };
}
