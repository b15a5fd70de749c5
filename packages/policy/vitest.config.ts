import { testConfig } from "@x/build/vitest";

/** Commands run in a shell, which is the same whatever release of Node starts it. */
const SHELL_PROOF = process.env["TEST_BUILT"] === undefined ? [] : ["test/adversarial/**"];

/** Nothing that is tested here is of its process, so what the files import is loaded once. */
export default testConfig({ isolate: false, exclude: ["test/soak/**", ...SHELL_PROOF] });
