import { testConfig } from "@x/build/vitest";

// The tests mostly wait, for phones that ring and asks that expire.
export default testConfig({ maxWorkers: 3 });
