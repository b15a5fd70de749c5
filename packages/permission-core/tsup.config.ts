import { packageConfig } from "@x/build/tsup";

export default packageConfig({
  entry: { index: "src/index.ts", stores: "src/stores.ts", testing: "src/testing.ts" },
  platform: "neutral",
  bundleInCjs: ["@noble/hashes"],
  lib: "esnext.disposable",
});
