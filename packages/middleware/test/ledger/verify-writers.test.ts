import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyLedger } from "../../src/ledger/index.js";
import { chainedLines } from "./support/chained-text.js";
import { pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";

/** Two writers of one ledger with a chain, each with calls of its own, and their heads. */
async function twoWriters() {
  const rig = ledgerRig({ chain: true });
  const heads: string[] = [];
  const ledgers = [rig.open(), rig.open()];
  for (const [index, ledger] of ledgers.entries()) {
    for (let turn = 0; turn < 3; turn++) await ledger.onToolPre({ ...pre, call_id: `${index}`, turn });
    heads.push((await ledger.head()) ?? "");
  }
  for (const ledger of ledgers) await ledger.close();
  return { ...rig, heads };
}

describe("files of several writers", () => {
  it("may begin alike, since they may begin at one time", async () => {
    const { file, files, folder } = await twoWriters();
    const [one, two] = [file, join(folder, "ledger.w2.jsonl")].map((path) =>
      readFileSync(path, "utf8").split("\n"),
    );
    expect(one?.[0]).toBe(two?.[0]);
    expect((await verifyLedger(await files())).ok).toBe(true);
  });

  it.each([4, 2])("are a problem where one is a copy of the other, of %i lines", async (lines) => {
    const { file, files, folder } = await twoWriters();
    const copy = join(folder, "ledger.w3.jsonl");
    copyFileSync(file, copy);
    const text = readFileSync(file, "utf8").split("\n").slice(0, lines);
    writeFileSync(copy, `${text.join("\n")}\n`);
    const { ok, problems } = await verifyLedger(await files());
    expect([ok, problems]).toEqual([
      false,
      [
        {
          kind: "reordered",
          file: copy,
          line: 2,
          message: `stands in ${file} too, at line 2: one of the files is a copy`,
        },
      ],
    ]);
  });

  it("are a problem where one is a copy of a later file of the other", async () => {
    const { folder, file, files } = ledgerRig();
    const first = chainedLines(["a"]);
    const second = chainedLines(["b"], { file: "ledger.000001.jsonl", head: first.head });
    const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");
    writeFileSync(join(folder, "ledger.000001.jsonl"), textOf(first.lines));
    writeFileSync(file, textOf(second.lines));
    expect((await verifyLedger(await files())).ok).toBe(true);
    writeFileSync(join(folder, "ledger.w2.jsonl"), textOf(second.lines));
    expect((await verifyLedger(await files())).problems).toMatchObject([{ kind: "reordered", line: 2 }]);
  });
});

it("refuses heads that are undefined, which would let the last lines be missing", async () => {
  const { files } = await twoWriters();
  const expectHead = undefined as unknown as string;
  await expect(verifyLedger(await files(), { expectHead })).rejects.toMatchObject({ code: "invalid_option" });
  expect((await verifyLedger(await files(), {})).ok).toBe(true);
});

describe("noOtherWriters", () => {
  it("takes the writers whose heads are expected, and those alone", async () => {
    const { files, heads, folder } = await twoWriters();
    const closed = async (expectHead: string | string[]) =>
      verifyLedger(await files(), { expectHead, noOtherWriters: true });
    expect(await closed(heads)).toMatchObject({ ok: true, problems: [] });
    const second = join(folder, "ledger.w2.jsonl");
    expect((await closed(heads[0] as string)).problems).toMatchObject([
      { kind: "unexpected", file: second, line: 1 },
    ]);
    const invented = join(folder, "ledger.w3.jsonl");
    appendFileSync(invented, `${chainedLines(["invented"]).lines.join("\n")}\n`);
    expect((await verifyLedger(await files(), { expectHead: heads })).ok).toBe(true);
    expect((await closed(heads)).problems).toMatchObject([{ kind: "unexpected", file: invented }]);
  });

  it("takes files in which nothing stands, and goes on to take lines after the expected one", async () => {
    const { file, files, heads, folder, open } = await twoWriters();
    writeFileSync(join(folder, "ledger.w3.jsonl"), "");
    const ledger = open();
    await ledger.onToolPre({ ...pre, turn: 9 });
    expect(ledger.file).toBe(file);
    await ledger.close();
    expect((await verifyLedger(await files(), { expectHead: heads, noOtherWriters: true })).ok).toBe(true);
  });

  it("is a problem of every writer without a chain", async () => {
    const { open, files } = ledgerRig();
    const ledger = open();
    await ledger.onToolPre(pre);
    await ledger.close();
    expect((await verifyLedger(await files())).ok).toBe(true);
    expect((await verifyLedger(await files(), { noOtherWriters: true })).problems).toMatchObject([
      { kind: "unexpected" },
    ]);
  });
});
