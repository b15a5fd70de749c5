import { beforeEach, describe, expect, it, vi } from "vitest";
import { verifyLedger } from "../../src/ledger/index.js";
import { pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

/** What was synced, and whether that fails. */
const disk = { synced: [] as string[], isBroken: false };

vi.mock("../../src/ledger/private-file.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/ledger/private-file.js")>();
  return {
    ...original,
    async openPrivateFile(file: string) {
      const handle = await original.openPrivateFile(file);
      handle.datasync = async () => {
        if (disk.isBroken) throw Object.assign(new Error("EIO"), { code: "EIO" });
        disk.synced.push("file");
      };
      return handle;
    },
  };
});

vi.mock("../../src/ledger/sync-folder.js", () => ({
  syncFolder: async () => void disk.synced.push("folder"),
}));

beforeEach(() => {
  disk.synced = [];
  disk.isBroken = false;
});

describe("a ledger that is synced by batch", () => {
  it("has each batch on the disk before it counts as written, and the name of each new file", async () => {
    const { open } = ledgerRig({ sync: "batch", maxBytes: 250 });
    const ledger = open();
    await ledger.onToolPre(pre);
    expect(disk.synced).toEqual(["file", "folder"]);
    await ledger.onToolPre({ ...pre, tool: "x".repeat(200) });
    expect(disk.synced).toEqual(["file", "folder", "folder", "file", "folder"]);
    await ledger.close();
  });

  it("rejects where the disk does not confirm; what stands in the file stays part of the chain", async () => {
    const { open, file, messages } = ledgerRig({ sync: "batch", chain: true });
    const ledger = open();
    await ledger.onToolPre(pre);
    disk.isBroken = true;
    await expect(ledger.onToolPre(pre)).rejects.toMatchObject({ code: "storage", cause: { code: "EIO" } });
    disk.isBroken = false;
    await ledger.onToolPre(pre);
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true, series: [{ lines: 5 }] });
    expect(messages()).toEqual([
      expect.stringMatching(/^error: .*0 line\(s\) lost/),
      expect.stringMatching(/^warn: .*written again; 0 line\(s\)/),
    ]);
  });

  it("is not synced unless asked for", async () => {
    const { open } = ledgerRig();
    const ledger = open();
    await ledger.onToolPre(pre);
    await ledger.close();
    expect(disk.synced).toEqual([]);
  });
});
