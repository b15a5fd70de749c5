import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { startSaver } from "./support/saver.js";
import { publicFolder } from "./support/temporary-folder.js";

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

describe("a process without privileges", () => {
  it.each([0o022, 0, 0o777])(
    "[CASE-111] makes folders 0700 and the ledger 0600 under umask %o",
    async (umask) => {
      const folder = publicFolder();
      const rootDir = join(folder, "state", "root");
      const { ledgerPath } = new FileGrantStore({ projectDir: folder, rootDir });
      const saver = await startSaver(folder, rootDir, umask);
      expect(await saver.save("first")).toEqual(["first"]);
      expect(await saver.save("second")).toEqual(["first", "second"]);
      expect(modeOf(ledgerPath)).toBe("600");
      let made = dirname(ledgerPath);
      for (; made !== folder; made = dirname(made)) expect([made, modeOf(made)]).toEqual([made, "700"]);
      expect(readdirSync(dirname(ledgerPath))).toEqual(["grants.json"]);
    },
  );
});

describe("two processes", () => {
  it("[CASE-095] lose nothing when they save in turn to a ledger that both read before", async () => {
    const folder = publicFolder();
    const rootDir = join(folder, "root");
    const [a, b] = await Promise.all([
      startSaver(folder, rootDir, 0o022),
      startSaver(folder, rootDir, 0o022),
    ]);
    expect(await a.save("a1")).toEqual(["a1"]);
    expect(await b.save("b1")).toEqual(["a1", "b1"]);
    expect(await a.save("a2")).toEqual(["a1", "b1", "a2"]);
    const { ledgerPath } = new FileGrantStore({ projectDir: folder, rootDir });
    expect(JSON.parse(readFileSync(ledgerPath, "utf8")).map(({ tool }: { tool: string }) => tool)).toEqual([
      "a1",
      "b1",
      "a2",
    ]);
  });
});
