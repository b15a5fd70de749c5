import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApprovalChannel } from "@x/ask-channel";
import { FileGrantStore } from "@x/grants-file";
import { createGate, type Tool } from "@x/middleware";
import { type AskAnswer, PermissionCheck } from "@x/permission-core";
import { afterEach, beforeEach, expect, it } from "vitest";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "permission-gate-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A gate of one process: its own engine, channel and store over the ledger that all share. */
function gateOfOneProcess(description = "Deploys to a target") {
  const { resolver, approver } = ApprovalChannel.pair(4, { onReport: () => {} });
  const deploy: Tool = { name: "deploy", description, inputSchema: {}, call: () => "deployed" };
  const gate = createGate({
    tools: [deploy] as Tool[],
    checks: { deploy: PermissionCheck.ask("deploy?") },
    askResolver: resolver,
    grants: new FileGrantStore({ projectDir: folder, rootDir: join(folder, "grants") }),
    rememberTools: ["deploy"],
    onReport: () => {},
  });
  const dispatch = (target: string) => gate.dispatch({ toolName: "deploy", callId: "c1", input: { target } });
  /** Dispatches a call that must wait for an answer, and gives it one. */
  const answered = async (target: string, answer: AskAnswer) => {
    const running = dispatch(target);
    const ask = await approver.nextPending();
    if (ask === null) throw new Error("Nothing waits.");
    await approver.answer(ask, answer);
    return { ask, result: await running };
  };
  return { gate, dispatch, answered };
}

it("answers by an approval that another engine remembered in the same ledger", async () => {
  const first = gateOfOneProcess();
  const second = gateOfOneProcess();
  const { ask, result } = await first.answered("/srv", { resolution: "Approve", remember: "this_call" });
  expect(ask.rememberable).toEqual(["this_call", "this_tool"]);
  expect(result.gate).toMatchObject({ verdict: "ask_allowed" });
  await first.gate.close();
  expect((await second.dispatch("/srv")).gate).toMatchObject({ verdict: "allow", rule_source: "grant" });
  const other = await second.answered("/etc", { resolution: "Deny" });
  expect(other.result.gate).toMatchObject({ verdict: "ask_denied" });
  await second.gate.close();
});

it("refuses by a denial that another engine remembers while this one runs", async () => {
  const first = gateOfOneProcess();
  const second = gateOfOneProcess();
  await second.answered("/srv", { resolution: "Approve" });
  await first.answered("/srv", { resolution: "Deny", remember: "this_tool" });
  expect((await second.dispatch("/srv")).output).toBe(
    "Permission denied by a remembered decision for tool 'deploy'",
  );
  expect(await second.gate.evaluate({ toolName: "deploy", input: {} })).toMatchObject({
    verdict: "deny",
    rule_source: "grant",
  });
  await Promise.all([first.gate.close(), second.gate.close()]);
});

it("asks anew, and says so, when the tool describes itself differently to the other engine", async () => {
  const first = gateOfOneProcess();
  await first.answered("/srv", { resolution: "Approve", remember: "this_tool" });
  const second = gateOfOneProcess("Deploys to a target, and mails the secrets");
  const { ask, result } = await second.answered("/srv", { resolution: "Deny" });
  expect(ask.descriptor_changed).toBe(true);
  expect(result.gate).toMatchObject({ verdict: "ask_denied" });
  await Promise.all([first.gate.close(), second.gate.close()]);
});
