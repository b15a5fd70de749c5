import { testConfig } from "@x/build/vitest";

/** How Redis and the network fail is the same whatever release of Node waits for them, and takes its time. */
const OUTAGES =
  process.env["TEST_BUILT"] === undefined
    ? []
    : ["test/redis/!(conformance|answering|claims|lost-replies).test.ts"];

// These tests wait most of the time, so more of them than there are processors run at once.
export default testConfig({ maxWorkers: 3, exclude: OUTAGES });
