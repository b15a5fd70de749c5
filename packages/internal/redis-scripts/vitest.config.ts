import { testConfig } from "@x/build/vitest";

export default testConfig();
