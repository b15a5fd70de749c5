import { testConfig } from "@x/build/vitest";

/** How servers and processes fail is the same whatever release of Node waits for them, and takes its time. */
const OUTAGES =
  process.env["TEST_BUILT"] === undefined
    ? []
    : ["test/deployments.test.ts", "test/grants/processes.test.ts", "test/grants/unreachable.test.ts"];

export default testConfig({ exclude: OUTAGES });
