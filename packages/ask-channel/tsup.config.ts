import { packageConfig } from "@x/build/tsup";

export default packageConfig({
  entry: {
    index: "src/index.ts",
    terminal: "src/terminal/index.ts",
    redis: "src/redis/index.ts",
    webhook: "src/webhook/index.ts",
  },
  bundle: ["@x/redis-scripts"],
  bundleInCjs: ["@clack/prompts", "@clack/core"],
});
