import { ApprovalChannel } from "@x/ask-channel";
import { describeVectors } from "@x/conformance";
import { PermissionMiddleware, type Tool, ToolEngine, ToolPipeline } from "@x/middleware";
import { type GateVerdict, PermissionCheck } from "@x/permission-core";
import { expect, it } from "vitest";

/** Two dispatches of one tool with different targets, each asked and approved over a channel. */
async function deployTwice() {
  const { resolver, approver } = ApprovalChannel.pair(1);
  const tool: Tool = { name: "deploy", description: "Deploys", inputSchema: {}, call: () => "deployed" };
  const records: GateVerdict[] = [];
  const engine = new ToolEngine({
    pipeline: ToolPipeline.builder()
      .withCore([tool])
      .withMiddleware(PermissionMiddleware.fromContext().withCheck(() => PermissionCheck.ask("deploy?")))
      .build(),
    askResolver: resolver,
    observers: [{ onGateDecision: ({ decision }) => void records.push(decision.verdict) }],
  });
  const digests: string[] = [];
  for (const target of ["/a", "/b"]) {
    const dispatched = engine.dispatch({ toolName: "deploy", callId: target, input: { target } });
    const ask = await approver.nextPending();
    if (ask === null) throw new Error("nothing was asked");
    digests.push(ask.args_digest);
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    await dispatched;
  }
  await engine.close();
  return { digests, records };
}

describeVectors("approver-channel", {
  it,
  only: ({ records }) => records !== undefined,
  async run({ digests, records }) {
    expect(await deployTwice()).toEqual({ digests, records });
  },
});
