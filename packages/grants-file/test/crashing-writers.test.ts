import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { runCrowd } from "./support/crashing-writers.js";
import { foreignEntry } from "./support/stores.js";
import { quickFolder } from "./support/temporary-folder.js";

describe("sixteen processes that save to one ledger at once", () => {
  it("lose nothing that was acknowledged while some die in lock, commit and takeover, and touch no other entry", async () => {
    const folder = quickFolder();
    const places = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
    const { ledgerPath } = new FileGrantStore(places);
    const untouched = `\n[ ${foreignEntry("a", { note: "ä 😀" })} ,\n\t${foreignEntry("b")}`;
    mkdirSync(dirname(ledgerPath), { recursive: true });
    writeFileSync(ledgerPath, `${untouched}\n]\n`);
    const crash = { anywhere: 0.006, inTakeover: 0.08 };
    const options = { processes: 16, grantsEach: 12, crash, deathsInTakeover: 3, killEvery: 40 };
    const result = await runCrowd(folder, options);
    expect(result.acknowledged).toHaveLength(192);
    expect([...result.lost]).toEqual([]);
    expect(readFileSync(ledgerPath, "utf8").startsWith(`${untouched},`)).toBe(true);
    expect(result.killed).toBeGreaterThan(0);
    for (const area of ["lock", "commit", "takeover"] as const)
      expect([area, result.crashes[area]]).not.toEqual([area, 0]);
  }, 60_000);
});

describe("processes that ignore the lock", () => {
  it("lose acknowledged grants, which shows that it is the lock that keeps them", async () => {
    let lost = 0;
    for (let attempt = 0; attempt < 5 && lost === 0; attempt++) {
      const options = { processes: 6, grantsEach: 25, killEvery: 0, withoutLock: true };
      lost = (await runCrowd(quickFolder(), options)).lost.size;
    }
    expect(lost).toBeGreaterThan(0);
  }, 60_000);
});
