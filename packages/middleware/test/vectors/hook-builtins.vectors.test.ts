import { describeVectors } from "@x/conformance";
import { expect, it } from "vitest";
import { toolBlocklist } from "../../src/index.js";

describeVectors("hook-builtins", {
  it,
  async run(vector) {
    const action = await toolBlocklist(vector.tools).preToolUse({
      toolName: vector.tool,
      input: {},
      sessionId: "s",
      runId: "r",
      turn: 0,
      callId: "c1",
      dryRun: false,
      signal: new AbortController().signal,
    });
    const blocked = action?.kind === "block" ? { action: "Block", reason: action.reason } : null;
    expect(blocked).toEqual(vector.expect);
  },
});
