import { testConfig } from "@x/build/vitest";

export default testConfig({
  include: ["test/soak/**/*.soak.test.ts"],
  outputFile: { json: "reports/soak.json" },
});
