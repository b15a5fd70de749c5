import { testConfig } from "@x/build/vitest";

// These tests wait most of the time, so more of them than there are processors run at once.
export default testConfig({ maxWorkers: 3, exclude: ["test/soak/**"] });
