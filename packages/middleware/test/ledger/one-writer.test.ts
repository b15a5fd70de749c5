import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { verifyLedger } from "../../src/ledger/index.js";
import type { Owner } from "../../src/ledger/owner.js";
import { thisProcess } from "../../src/ledger/this-process.js";
import { pre } from "./support/events.js";
import { ledgerRig } from "./support/ledger-rig.js";
import { startWriter } from "./support/writer.js";

describe("the file of a ledger has one writer", () => {
  it("is another one for a second ledger of the same process, and free again once the first is closed", async () => {
    const { open, file, folder, modeOf } = ledgerRig();
    const [one, two, three] = [open(), open(), open()];
    await one.onToolPre(pre);
    await two.onToolPre(pre);
    await three.onToolPre(pre);
    expect([one.file, two.file, three.file]).toEqual([
      file,
      join(folder, "ledger.w2.jsonl"),
      join(folder, "ledger.w3.jsonl"),
    ]);
    expect([modeOf(two.file), modeOf(`${file}.lock`)]).toEqual([0o600, 0o600]);
    await one.close();
    const again = open();
    expect(await again.open()).toBe(file);
    await Promise.all([two, three, again].map((ledger) => ledger.close()));
    expect(readdirSync(folder).sort()).toEqual(["ledger.jsonl", "ledger.w2.jsonl", "ledger.w3.jsonl"]);
  });

  it("is the same for those who mean one file, by a link too", async () => {
    const { open, file, folder } = ledgerRig();
    symlinkSync(file, join(folder, "link.jsonl"));
    const [direct, linked] = [open(), open({ file: join(folder, "link.jsonl") })];
    expect([await direct.open(), await linked.open()]).toEqual([file, join(folder, "ledger.w2.jsonl")]);
    await direct.close();
    await linked.close();
  });

  it("is claimed by one process each, however many come at once", async () => {
    const { file, folder, files } = ledgerRig();
    const writers = await Promise.all(Array.from({ length: 4 }, () => startWriter({ file, chain: true })));
    const written = await Promise.all(writers.map((writer) => writer.write(20)));
    const names = ["ledger.jsonl", "ledger.w2.jsonl", "ledger.w3.jsonl", "ledger.w4.jsonl"];
    expect(written.map((answer) => basename(answer.file)).sort()).toEqual(names);
    await Promise.all(writers.map((writer) => writer.close()));
    expect(readdirSync(folder).sort()).toEqual(names);
    const { ok, series } = await verifyLedger(await files());
    expect([ok, series.map(({ lines }) => lines)]).toEqual([true, [21, 21, 21, 21]]);
  });

  it("is taken over from one that was killed, by one alone, and its chain goes on", async () => {
    const { file, folder, files } = ledgerRig();
    const first = await startWriter({ file, chain: true });
    const { head } = await first.write(3);
    await first.kill();
    expect(existsSync(`${file}.lock`)).toBe(true);
    const writers = await Promise.all(Array.from({ length: 3 }, () => startWriter({ file, chain: true })));
    const written = await Promise.all(writers.map((writer) => writer.write(2)));
    expect(written.filter((answer) => answer.file === file)).toHaveLength(1);
    await Promise.all(writers.map((writer) => writer.close()));
    expect(readdirSync(folder).filter((name) => name.includes(".lock"))).toEqual([]);
    const { ok, series } = await verifyLedger(await files(), { expectHead: head ?? "" });
    expect([ok, series.map(({ lines }) => lines)]).toEqual([true, [6, 3, 3]]);
  });

  it("is taken over from a row of those that were killed while they took over", async () => {
    const { file, folder, open } = ledgerRig();
    const ended = await startWriter({ file });
    await ended.write(1);
    await ended.kill();
    // Each was killed between taking the right and using it.
    const dead = JSON.parse(readFileSync(`${file}.lock`, "utf8")) as { nonce: string };
    const [second, third] = [randomUUID(), randomUUID()];
    for (const [before, nonce] of [
      [dead.nonce, second],
      [second, third],
    ]) {
      writeFileSync(`${file}.lock.after-${before}`, JSON.stringify({ ...dead, nonce }));
      writeFileSync(`${file}.lock.new-${nonce}`, JSON.stringify({ ...dead, nonce }));
    }
    const ledger = open();
    expect(await ledger.open()).toBe(file);
    expect(readdirSync(folder).sort()).toEqual(["ledger.jsonl", "ledger.jsonl.lock"]);
    await ledger.close();
  });

  it("has nothing beside it of those that were killed before they could say who they are", async () => {
    const { file, folder, open } = ledgerRig();
    writeFileSync(`${file}.lock.new-old`, "");
    utimesSync(`${file}.lock.new-old`, 0, 0);
    writeFileSync(`${file}.lock.new-young`, "");
    const ledger = open();
    await ledger.open();
    await ledger.close();
    expect(readdirSync(folder)).toEqual(["ledger.jsonl.lock.new-young"]);
  });

  it("stays with an owner that cannot be seen, or cannot be read", async () => {
    const { file, folder, open } = ledgerRig();
    const owner = await startWriter({ file });
    await owner.write(1);
    const lock = JSON.parse(readFileSync(`${file}.lock`, "utf8")) as object;
    await owner.kill();
    for (const text of [
      JSON.stringify({ ...lock, pid_namespace: "pid:[1]" }),
      JSON.stringify({ ...lock, boot: "another", machine: "another" }),
      "",
    ]) {
      writeFileSync(`${file}.lock`, text);
      const ledger = open();
      expect(await ledger.open()).toBe(join(folder, "ledger.w2.jsonl"));
      await ledger.close();
      expect(readFileSync(`${file}.lock`, "utf8")).toBe(text);
    }
  });
});

describe("a lock that no ledger wrote", () => {
  /** The text of a lock whose owner has ended: no process has that pid. */
  const dead = (nonce: string) =>
    JSON.stringify({ ...thisProcess(), pid: 2 ** 30, started: "1", nonce } satisfies Owner);

  it.each<[string, (lock: string) => void]>([
    [
      "a row that comes back to itself",
      (lock) => {
        const nonce = randomUUID();
        writeFileSync(lock, dead(nonce));
        writeFileSync(`${lock}.after-${nonce}`, dead(nonce));
      },
    ],
    [
      "a row that comes back to itself later on",
      (lock) => {
        const [one, two] = [randomUUID(), randomUUID()];
        writeFileSync(lock, dead(one));
        writeFileSync(`${lock}.after-${one}`, dead(two));
        writeFileSync(`${lock}.after-${two}`, dead(one));
      },
    ],
    [
      "a row of more than a thousand",
      (lock) => {
        let place = lock;
        for (let length = 0; length < 1_001; length++) {
          const nonce = randomUUID();
          writeFileSync(place, dead(nonce));
          place = `${lock}.after-${nonce}`;
        }
      },
    ],
    ["a pipe", (lock) => void execFileSync("mkfifo", [lock])],
    ["a folder", (lock) => mkdirSync(lock)],
    ["a link to nowhere", (lock) => symlinkSync(`${lock}.nowhere`, lock)],
    ["a link to itself", (lock) => symlinkSync(lock, lock)],
    [
      "a link to an owner that has ended",
      (lock) => {
        writeFileSync(`${lock}.elsewhere`, dead(randomUUID()));
        symlinkSync(`${lock}.elsewhere`, lock);
      },
    ],
    ["a nonce that is too long for a name", (lock) => writeFileSync(lock, dead("a".repeat(300)))],
    ["a nonce that no name can hold", (lock) => writeFileSync(lock, dead("\0"))],
    ["more text than an owner takes", (lock) => writeFileSync(lock, dead(randomUUID()).padEnd(5_000))],
  ])("counts as held, and the next file is written: %s", async (_, make) => {
    const { file, folder, open } = ledgerRig();
    make(`${file}.lock`);
    const ledger = open();
    await ledger.onToolPre(pre);
    expect(ledger.file).toBe(join(folder, "ledger.w2.jsonl"));
    await ledger.close();
  });

  it("leads to no file that is not a lock", async () => {
    const { file, folder, open } = ledgerRig();
    const victim = join(folder, "victim.json");
    mkdirSync(`${file}.lock.after-`);
    writeFileSync(`${file}.lock`, dead("/../victim.json"));
    writeFileSync(victim, dead(randomUUID()));
    const ledger = open();
    expect(await ledger.open()).toBe(join(folder, "ledger.w2.jsonl"));
    await ledger.close();
    expect(existsSync(victim)).toBe(true);
  });

  it("is left where it stands beside one, and hinders nobody", async () => {
    const { file, folder, open } = ledgerRig();
    mkdirSync(`${file}.lock.after-x`);
    symlinkSync(`${file}.lock.new-y`, `${file}.lock.new-y`);
    for (const name of ["x", "y"]) writeFileSync(`${file}.lock.after-old-${name}`, "");
    utimesSync(`${file}.lock.after-old-x`, 0, 0);
    execFileSync("mkfifo", [`${file}.lock.new-z`]);
    utimesSync(`${file}.lock.after-x`, 0, 0);
    const ledger = open();
    await ledger.onToolPre(pre);
    expect(ledger.file).toBe(file);
    await ledger.close();
    expect(readdirSync(folder).sort()).toEqual([
      "ledger.jsonl",
      "ledger.jsonl.lock.after-old-y",
      "ledger.jsonl.lock.after-x",
      "ledger.jsonl.lock.new-y",
      "ledger.jsonl.lock.new-z",
    ]);
  });
});
