import { packageConfig } from "@x/build/tsup";

export default packageConfig({
  entry: {
    index: "src/index.ts",
    ledger: "src/ledger/index.ts",
    otel: "src/otel/index.ts",
    testing: "src/testing/index.ts",
    "json-schema": "src/json-schema.ts",
  },
});
