import { packageConfig } from "@x/build/tsup";

export default packageConfig({
  entry: { index: "src/index.ts", terminal: "src/terminal/index.ts" },
  bundleInCjs: ["@clack/prompts", "@clack/core"],
});
