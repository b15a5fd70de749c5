import { testConfig } from "./vitest.js";

export default testConfig({ include: ["test/**/*.test.js"] });
