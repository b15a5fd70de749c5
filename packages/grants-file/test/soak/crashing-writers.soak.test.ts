import { expect, it } from "vitest";
import { runCrowd } from "../support/crashing-writers.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it.each([1, 2, 3])(
  "sixteen processes lose nothing of 800 grants while many of them die, run %i",
  async () => {
    const crash = { anywhere: 0.01, inTakeover: 0.08 };
    const result = await runCrowd(temporaryFolder(), { processes: 16, grantsEach: 50, crash, killEvery: 40 });
    console.log(
      `${JSON.stringify(result.crashes)}, killed ${result.killed}, pause ${result.longestPauseMs} ms`,
    );
    expect(result.acknowledged).toHaveLength(800);
    expect([...result.lost]).toEqual([]);
    for (const area of ["lock", "commit", "takeover"] as const)
      expect(result.crashes[area]).toBeGreaterThan(0);
  },
  600_000,
);
