import { testConfig } from "@x/build/vitest";

/** How Redis and the network fail is the same whatever release of Node waits for them, and takes its time. */
const OUTAGES =
  process.env["TEST_BUILT"] === undefined
    ? []
    : ["test/redis/!(conformance|answering|claims|lost-replies).test.ts"];

export default testConfig({ exclude: OUTAGES });
