import type { FileHandle } from "node:fs/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { joinLedger, verifyLedger } from "../../src/ledger/index.js";
import { pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

/** A disk with room for so many bytes, on which files can, or cannot, be cut. */
const disk = { room: Number.POSITIVE_INFINITY, canCut: true };

vi.mock("../../src/ledger/private-file.js", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/ledger/private-file.js")>();
  return {
    ...original,
    openPrivateFile: async (file: string) => onSmallDisk(await original.openPrivateFile(file)),
  };
});

const failing = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

function onSmallDisk(handle: FileHandle): Pick<FileHandle, "stat" | "read" | "write" | "truncate" | "close"> {
  return {
    stat: handle.stat.bind(handle),
    read: handle.read.bind(handle),
    close: handle.close.bind(handle),
    truncate: (length) => (disk.canCut ? handle.truncate(length) : failing("EPERM")),
    write: (async (bytes: Buffer, offset: number, length: number) => {
      if (disk.room === 0) return failing("ENOSPC");
      const taken = Math.min(length, disk.room);
      disk.room -= taken;
      return handle.write(bytes, offset, taken);
    }) as FileHandle["write"],
  };
}

beforeEach(() => {
  disk.room = Number.POSITIVE_INFINITY;
  disk.canCut = true;
});

describe.each([true, false])("a disk that gets full within a line (with a chain: %s)", (chain) => {
  it("keeps the lines before it, cuts the half of one off, and goes on after it", async () => {
    const { open, file, messages } = ledgerRig({ chain });
    const ledger = open();
    await ledger.onToolPre({ ...pre, turn: 0 });
    disk.room = 700;
    const told = Array.from({ length: 5 }, (_, turn) => ledger.onToolPre({ ...pre, turn: turn + 1 }));
    for (const outcome of await Promise.allSettled(told)) {
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "storage", cause: { code: "ENOSPC" } },
      });
    }
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [] });
    const before = (await joinLedger(file)).length;
    disk.room = Number.POSITIVE_INFINITY;
    await ledger.onToolPre({ ...pre, turn: 9 });
    await ledger.close();
    expect(await verifyLedger(file)).toMatchObject({ ok: true, torn: [] });
    expect((await joinLedger(file)).map(({ turn }) => turn)).toEqual([...Array(before).keys(), 9]);
    expect(messages()[0]).toContain(`${6 - before} line(s) lost`);
  });

  it("keeps the half, and names it, where it cannot be cut off", async () => {
    const { open, file, textOf } = ledgerRig({ chain });
    const ledger = open();
    await ledger.onToolPre(pre);
    disk.room = 20;
    disk.canCut = false;
    await expect(ledger.onToolPre({ ...pre, turn: 2 })).rejects.toMatchObject({ code: "storage" });
    expect(textOf()).toMatch(/\n\{"v":1,"type":"tool\.$/);
    disk.room = Number.POSITIVE_INFINITY;
    await ledger.onToolPre({ ...pre, turn: 3 });
    await ledger.close();
    const { ok, torn } = await verifyLedger(file);
    expect([ok, torn.length]).toEqual([true, 1]);
    expect((await joinLedger(file)).map(({ turn }) => turn)).toEqual([1, 3]);
  });
});
