import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileGrantStore } from "@x/grants-file";
import { PermissionMiddleware, ToolPipeline } from "@x/middleware";
import { type AskAnswer, type AskResolution, PermissionCheck, type ReportEvent } from "@x/permission-core";
import { expect, it, onTestFinished } from "vitest";

/** A tool behind a gate with a store of remembered decisions on disk, which refuses `rm` and asks about what is not `ls`. */
function gateOnDisk(answers: (AskResolution | AskAnswer)[]) {
  const folder = mkdtempSync(join(tmpdir(), "file-store-cases-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const reports: ReportEvent[] = [];
  const onReport = (event: ReportEvent) => void reports.push(event);
  const store = new FileGrantStore({ projectDir: folder, rootDir: join(folder, "root"), onReport });
  const prompts: string[] = [];
  const gate = PermissionMiddleware.fromContext()
    .withNamedCheck("own", ({ input }) => {
      if (input === "rm") return PermissionCheck.deny("rm is off");
      return input === "ls" ? PermissionCheck.allow() : PermissionCheck.ask(`run ${String(input)}?`);
    })
    .withGrants(store)
    .withAskResolver({
      interactive: false,
      resolve({ prompt }) {
        prompts.push(prompt);
        return answers.shift() ?? "Deny";
      },
    });
  const ran: unknown[] = [];
  const call = (input: unknown) => {
    ran.push(input);
    return "ran";
  };
  const pipeline = ToolPipeline.builder({ onReport })
    .withCore([{ name: "run", description: "", inputSchema: {}, call }])
    .withMiddleware(gate)
    .build();
  const invoke = async (input: string) =>
    (await pipeline.invoke({ toolName: "run", callId: "c", input })).gate?.verdict;
  return { store, reports, prompts, ran, invoke };
}

it("[CASE-094] asks again about a call whose approval was revoked, lists nothing, and says what it did not know", async () => {
  const { store, prompts, invoke } = gateOnDisk([{ resolution: "Approve", remember: "this_call" }]);
  expect(await invoke("make")).toBe("ask_allowed");
  expect(await invoke("make")).toBe("allow");
  const [grant] = await store.load();
  expect(await store.revoke(grant?.id ?? "")).toEqual(grant);
  expect(await invoke("make")).toBe("ask_denied");
  expect(prompts).toEqual(["run make?", "run make?"]);
  expect(await store.load()).toEqual([]);
  expect(await store.revoke(grant?.id ?? "")).toBeNull();
});

it("[CASE-108] takes an empty ledger for damaged: no grant holds, what is denied stays so, and it is reported", async () => {
  const { store, reports, prompts, ran, invoke } = gateOnDisk([
    { resolution: "Approve", remember: "this_call" },
  ]);
  await invoke("make");
  writeFileSync(store.ledgerPath, "");
  expect(await invoke("rm")).toBe("deny");
  expect(reports).toContainEqual(
    expect.objectContaining({
      level: "error",
      cause: expect.objectContaining({
        code: "ledger_damaged",
        message: expect.stringContaining(store.ledgerPath),
      }),
    }),
  );
  expect(await invoke("make")).toBe("ask_denied");
  // Whether it was denied for good cannot be known, so that what the check allows is asked as well.
  expect(await invoke("ls")).toBe("ask_denied");
  expect(prompts).toHaveLength(3);
  expect(ran).toEqual(["make"]);
});
