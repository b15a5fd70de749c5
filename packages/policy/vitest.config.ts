import { testConfig } from "@x/build/vitest";

/** Commands run in a shell, which is the same whatever release of Node starts it. */
const SHELL_PROOF = process.env["TEST_BUILT"] === undefined ? [] : ["test/adversarial/**"];

export default testConfig({ exclude: ["test/soak/**", ...SHELL_PROOF] });
