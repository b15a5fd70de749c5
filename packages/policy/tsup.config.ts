import { packageConfig } from "@x/build/tsup";

export default packageConfig({
  entry: { index: "src/index.ts", config: "src/config/index.ts" },
  bundleInCjs: ["unbash"],
});
