import { testConfig } from "@x/build/vitest";

/** How servers fail over is the same whatever release of Node waits for them, and takes its time. */
const DEPLOYMENTS = process.env["TEST_BUILT"] === undefined ? [] : ["test/deployments.test.ts"];

export default testConfig({ exclude: DEPLOYMENTS });
