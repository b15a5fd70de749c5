import { packageConfig } from "@x/build/tsup";

export default packageConfig({ entry: { index: "src/index.ts" } });
