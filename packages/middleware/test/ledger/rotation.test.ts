import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ledgerFiles, verifyLedger } from "../../src/ledger/index.js";
import { sortLedgerFiles } from "../../src/ledger/ledger-names.js";
import { post, pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

describe("rotation by size", () => {
  it.each([false, true])("loses and splits no line, whatever the size (with a chain: %s)", async (chain) => {
    const { open, folder, files, lines } = ledgerRig({ chain });
    const batches = fc.array(fc.array(fc.string({ maxLength: 200 }), { maxLength: 4 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: 2_000 }), async (batches, maxBytes) => {
        for (const name of readdirSync(folder)) rmSync(join(folder, name));
        for (const names of batches) {
          // Each time as another process would go on.
          const ledger = open({ maxBytes });
          for (const tool of names) ledger.onToolPre({ ...pre, tool });
          await ledger.close();
        }
        const written = (await lines()).flatMap((line) => (line.type === "tool.call" ? [line.tool] : []));
        expect(written).toEqual(batches.flat());
        expect(await verifyLedger(await files())).toMatchObject({ ok: true, torn: [] });
        const perFile = chain ? 2 : 1;
        for (const file of await files()) {
          const count = (await verifyLedger(file)).series[0]?.lines ?? 0;
          expect(statSync(file).size <= maxBytes || count === perFile).toBe(true);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("gives names that sort in the order of writing, and goes on counting where files were taken away", async () => {
    const { open, folder, files, lines } = ledgerRig({ maxBytes: 1, chain: true });
    const ledger = open();
    for (let turn = 0; turn < 3; turn++) await ledger.onToolPre({ ...pre, turn });
    expect(
      readdirSync(folder)
        .filter((name) => !name.endsWith(".lock"))
        .sort(),
    ).toEqual(["ledger.000001.jsonl", "ledger.000002.jsonl", "ledger.jsonl"]);
    rmSync(join(folder, "ledger.000001.jsonl"));
    await ledger.onToolPre({ ...pre, turn: 3 });
    expect((await files()).map((file) => basename(file))).toEqual([
      "ledger.000002.jsonl",
      "ledger.000003.jsonl",
      "ledger.jsonl",
    ]);
    expect((await lines()).flatMap((line) => ("turn" in line ? [line.turn] : []))).toEqual([1, 2, 3]);
    const { ok, series } = await verifyLedger(await files());
    expect([ok, series[0]?.follows?.file]).toEqual([true, "ledger.000001.jsonl"]);
    await ledger.close();
  });

  it("begins the next file after the last hash also where a crash came between the two", async () => {
    const { open, file, folder, files } = ledgerRig({ chain: true });
    const first = open();
    await first.onToolPre(pre);
    const head = await first.head();
    await first.close();
    renameSync(file, join(folder, "ledger.000001.jsonl"));
    const second = open();
    await second.onToolPre(pre);
    await second.close();
    const { ok, series } = await verifyLedger(await files(), { expectHead: head ?? "" });
    expect([ok, series.length, series[0]?.lines]).toEqual([true, 1, 4]);
  });

  it("keeps the parts of each writer apart", async () => {
    const { open, folder, files } = ledgerRig({ maxBytes: 1 });
    const ledgers = [open(), open()];
    for (const ledger of ledgers) {
      await ledger.onToolPre(pre);
      await ledger.onToolPost(post);
    }
    for (const ledger of ledgers) await ledger.close();
    expect((await files()).map((file) => basename(file))).toEqual([
      "ledger.000001.jsonl",
      "ledger.jsonl",
      "ledger.w2.000001.jsonl",
      "ledger.w2.jsonl",
    ]);
    writeFileSync(join(folder, "ledger-notes.jsonl"), "");
    writeFileSync(join(folder, "ledger.jsonl.bak"), "");
    mkdirSync(join(folder, "other"));
    expect(await ledgerFiles(join(folder, "ledger.jsonl"))).toHaveLength(4);
  });
});

describe("rotation by age", () => {
  it("begins another file with the first line that comes after it, counted from the first line of the file", async () => {
    const { open, clock, folder } = ledgerRig({ maxAgeMs: 1_000 });
    const first = open();
    await first.onToolPre({ ...pre, ts: clock.now() });
    clock.advance(999);
    await first.onToolPre({ ...pre, ts: clock.now() });
    await first.close();
    const second = open();
    clock.advance(1);
    await second.onToolPre({ ...pre, ts: clock.now() });
    await second.close();
    expect(readdirSync(folder).sort()).toEqual(["ledger.000001.jsonl", "ledger.jsonl"]);
  });
});

describe("a ledger that gets a chain, or loses it", () => {
  it.each([true, false])("goes on in a new file (chain before: %s)", async (chain) => {
    const { open, files, messages } = ledgerRig();
    for (const now of [chain, !chain]) {
      const ledger = open({ chain: now });
      await ledger.onToolPre(pre);
      await ledger.close();
    }
    const [first, second] = await files();
    expect((await verifyLedger(first as string)).series[0]?.isChained).toBe(chain);
    expect((await verifyLedger(second as string)).series[0]?.isChained).toBe(!chain);
    // What is written without one, after a chain, could be anybody's.
    const both = await verifyLedger(await files());
    expect([both.ok, both.series[0]?.isChained]).toEqual([!chain, !chain]);
    expect(messages()).toEqual([
      expect.stringMatching(/^warn: The ledger \/ledger.jsonl .* is put aside\.$/),
    ]);
  });
});

describe("what somebody else does to the file meanwhile", () => {
  it.each<[string, (file: string) => void, string]>([
    ["adds a line", (file) => writeFileSync(file, "{}\n", { flag: "a" }), "malformed"],
    ["empties it", (file) => writeFileSync(file, ""), "missing"],
    ["takes it away", (file) => rmSync(file), "missing"],
  ])("is found, since the chain goes on from what was written: %s", async (_, change, kind) => {
    const { open, file, files } = ledgerRig({ chain: true });
    const ledger = open();
    await ledger.onToolPre(pre);
    await ledger.onToolPre(pre);
    const head = (await ledger.head()) ?? "";
    change(file);
    await ledger.onToolPost(post);
    await ledger.close();
    const { problems, series } = await verifyLedger(await files(), { expectHead: head });
    if (kind === "malformed") expect(problems).toMatchObject([{ kind, line: 4 }]);
    else expect([problems[0]?.kind, series[0]?.follows?.hash]).toEqual(["truncated", head]);
  });
});

describe("the order of files", () => {
  it("is that of writing, whatever order they are given in", () => {
    const files = [
      "a/ledger.000001.jsonl",
      "a/ledger.000010.jsonl",
      "a/ledger.999999.jsonl",
      "a/ledger.1000000.jsonl",
      "a/ledger.jsonl",
      "a/ledger.w2.000001.jsonl",
      "a/ledger.w2.jsonl",
      "a/ledger.w10.jsonl",
      "a/other.000001",
      "a/other",
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(files, { minLength: files.length }), (given) => {
        expect(sortLedgerFiles(given)).toEqual(files);
      }),
    );
  });
});
