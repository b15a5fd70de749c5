import { describeVectors } from "@x/conformance";
import { expect, it } from "vitest";
import { isReadOnlyShell } from "../../src/index.js";

describeVectors("mecatl/readonly-shell", {
  it,
  run({ command, readOnly }) {
    expect(isReadOnlyShell(command)).toBe(readOnly);
    expect(isReadOnlyShell(command, { dialect: "bash" })).toBe(readOnly);
  },
});
