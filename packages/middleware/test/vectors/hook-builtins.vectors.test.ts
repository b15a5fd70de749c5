import { describeVectors } from "@x/conformance";
import { expect, it } from "vitest";
import { toolBlocklist } from "../../src/index.js";

/** `blocklist deny [a, b]` */
function hookOf(words: string) {
  const tools = words.match(/^blocklist deny \[(.*)\]$/)?.[1];
  if (tools === undefined) throw new Error(`no hook is ${words}`);
  return toolBlocklist(tools.split(", "));
}

describeVectors("hook-builtins", {
  it,
  async run(vector) {
    const action = await hookOf(vector.hook).preToolUse({
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
