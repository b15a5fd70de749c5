import { testConfig } from "@x/build/vitest";

export default testConfig({ testTimeout: 60_000, hookTimeout: 300_000 });
