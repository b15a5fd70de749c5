import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The script as it is shipped: without its lines of comment, and with the line numbers that its errors name. */
export function withoutComments(lua) {
  if (/\[=*\[/.test(lua)) throw new Error("Long strings and comments of Lua are not read here: write lines.");
  return lua.replace(/^[ \t]*--.*$/gm, "");
}

/** Has a test import a `.lua` file as its text, as the build bundles it. */
export function luaText() {
  return {
    name: "lua-text",
    enforce: "pre",
    load(id) {
      if (!id.endsWith(".lua")) return null;
      return `export default ${JSON.stringify(withoutComments(readFileSync(id, "utf8")))};`;
    },
  };
}

/** Has the build bundle a `.lua` file as its text. */
export const bundledLuaText = {
  name: "lua-text",
  setup(build) {
    build.onLoad({ filter: /\.lua$/ }, async ({ path }) => ({
      contents: withoutComments(await readFile(path, "utf8")),
      loader: "text",
    }));
  },
};
