import { ApprovalChannel } from "@x/ask-channel";
import { vectorGroup } from "@x/conformance";
import { createGate, type Tool } from "@x/middleware";
import { argsDigestFromText, fnv1a64, PermissionCheck } from "@x/permission-core";

/** What the page found, for the test to judge. */
export interface PageReport {
  /** ids of the known answers that were not met */
  wrongDigests: string[];
  /** how many known answers were tried */
  digests: number;
  /** what a gate's calls came to: parked, then answered through the channel */
  verdicts: (string | undefined)[];
  outputs: unknown[];
}

const tool: Tool = { name: "greet", description: "Greets", inputSchema: {}, call: () => "hello" };

/** Two calls wait in the channel; one is approved, one refused. */
async function parkAndAnswer(): Promise<Pick<PageReport, "verdicts" | "outputs">> {
  const [resolver, approver] = ApprovalChannel.pair(2);
  const gate = createGate({
    tools: [tool],
    checks: { greet: PermissionCheck.ask("Greet?") },
    askResolver: resolver,
    onReport: () => {},
  });
  const running = gate.dispatchAll([
    { toolName: "greet", callId: "1", input: { to: "ana" } },
    { toolName: "greet", callId: "2", input: { to: "eve" } },
  ]);
  for (const answer of ["Approve", "Deny"] as const) {
    const ask = await approver.nextPending();
    if (ask !== null) await approver.answer(ask, answer);
  }
  const results = (await running).map((entry) => (entry.status === "completed" ? entry.result : null));
  await gate.close();
  return {
    verdicts: results.map((result) => result?.gate?.verdict),
    outputs: results.map((result) => result?.output),
  };
}

async function report(): Promise<PageReport> {
  const texts = vectorGroup("digest").filter((vector) => !("error" in vector));
  const strings = vectorGroup("fnv");
  const wrong = [
    ...texts.filter((vector) => "digest" in vector && argsDigestFromText(vector.json) !== vector.digest),
    ...strings.filter((vector) => fnv1a64(vector.utf8) !== vector.hex),
  ];
  return {
    wrongDigests: wrong.map(({ id }) => id),
    digests: texts.length + strings.length,
    ...(await parkAndAnswer()),
  };
}

Object.assign(globalThis, { report: report() });
