import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { joinLedger, verifyLedger } from "../../src/ledger/index.js";
import { ledgerRig } from "./support/ledger-rig.js";

const PROGRAM = fileURLToPath(new URL("support/crashing-writer.mjs", import.meta.url));
const LANES = 4;
const WRITERS_PER_LANE = 8;

describe("writers that are killed at any moment", () => {
  it("lose no line that was acknowledged, and never write one file by two", async () => {
    const { folder, file, files } = ledgerRig();
    const acknowledged = join(folder, "acknowledged");
    const ends: unknown[] = [];
    const lane = async () => {
      for (let writer = 0; writer < WRITERS_PER_LANE; writer++) {
        const fate = `${writer / WRITERS_PER_LANE}`;
        const child = spawn(process.execPath, [PROGRAM, file, acknowledged, fate], { stdio: "ignore" });
        const [code, signal] = await once(child, "exit");
        ends.push(signal ?? code);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect([...new Set(ends)].sort()).toEqual([0, "SIGKILL"]);
    // Two writers of one file would break its chain.
    const { ok, problems, series } = await verifyLedger(await files());
    expect([ok, problems]).toEqual([true, []]);
    expect(series.length).toBeLessThanOrEqual(LANES);
    const calls = (await joinLedger(await files())).map(({ session_id, turn }) => `${session_id} ${turn}`);
    expect(new Set(calls).size).toBe(calls.length);
    expect(existsSync(acknowledged)).toBe(true);
    const noted = readFileSync(acknowledged, "utf8").trimEnd().split("\n");
    expect(noted.filter((line) => !calls.includes(line))).toEqual([]);
  });
});
