import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileClaimStore } from "../../src/index.js";
import { type Claim, startClaimers } from "../support/claimers.js";
import { quickFolder } from "../support/temporary-folder.js";

const keys = Array.from({ length: 40 }, (_, index) => `key ${index}`);
const HOUR_MS = 3_600_000;

/** How often each key was claimed for the first time, the number of times as the key. */
function timesTrue(claims: readonly Claim[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) {
    const times = claims.filter((claim) => claim.key === key && claim.isFirst).length;
    counts[times] = (counts[times] ?? 0) + 1;
  }
  return counts;
}

/** Claims of one key that were true although the one before them, known to have begun then, was not over. */
function tooEarly(claims: readonly Claim[], ttlMs: number): Claim[] {
  const firsts = claims.filter(({ isFirst }) => isFirst).sort((a, b) => a.afterMs - b.afterMs);
  return firsts.filter((claim, index) => {
    const before = firsts[index - 1];
    return before !== undefined && claim.afterMs < before.beforeMs + ttlMs;
  });
}

describe("processes that claim the same keys at once", () => {
  it("read true once for each key, all of them together", async () => {
    const folder = join(quickFolder(), "claims");
    const { claims, refusals } = await (await startClaimers(8, { folder, keys, ttlMs: HOUR_MS })).ended;
    expect(refusals).toEqual([]);
    expect(claims).toHaveLength(8 * keys.length);
    expect(timesTrue(claims)).toEqual({ 1: keys.length });
  });

  it.each([
    ["once", {}],
    ["more often where a name that is taken is no hindrance", { withoutLink: true }],
  ])("read true for a new key, all having seen that it was free, %s", async (_, protection) => {
    const folder = join(quickFolder(), "claims");
    const delay = { before: "sync", ms: 1_000 } as const;
    const options = { folder, keys: ["k"], ttlMs: HOUR_MS, delay, ...protection };
    const { claims } = await (await startClaimers(6, options)).ended;
    const times = claims.filter(({ isFirst }) => isFirst).length;
    expect("withoutLink" in protection ? times > 1 : times === 1).toBe(true);
  });

  it.each([
    ["once", {}],
    ["more often where the lock is no hindrance", { withoutLock: true }],
  ])("read true for a key whose claim is over, all having seen that it was, %s", async (_, protection) => {
    const folder = join(quickFolder(), "claims");
    const delay = { before: "rename", ms: 1_000 } as const;
    const options = { folder, keys: ["k"], ttlMs: HOUR_MS, delay, hasSwept: true, ...protection };
    const isOver = async () => {
      // Longer than a write may take: a claim whose time is over before it could be told is made anew.
      expect(await new FileClaimStore({ folder }).claim("k", { ttlMs: 200 })).toBe(true);
      await new Promise((resolve) => setTimeout(resolve, 250));
    };
    const { claims } = await (await startClaimers(6, options, isOver)).ended;
    const times = claims.filter(({ isFirst }) => isFirst).length;
    expect("withoutLock" in protection ? times > 1 : times === 1).toBe(true);
  });

  it("take over a claim that is over one at a time, and never one that is not", async () => {
    const folder = join(quickFolder(), "claims");
    const options = { folder, keys: ["k"], ttlMs: 20, forMs: 3_000 };
    const { claims, refusals } = await (await startClaimers(6, options)).ended;
    expect(refusals).toEqual([]);
    expect(claims.filter(({ isFirst }) => isFirst).length).toBeGreaterThan(5);
    expect(tooEarly(claims, 20)).toEqual([]);
  });

  it("go on when one after the other is killed, and never read true too early", async () => {
    const folder = join(quickFolder(), "claims");
    // One that is killed may hold up the key that it was claiming, for a minute; six cannot hold up seven.
    const ks = ["k1", "k2", "k3", "k4", "k5", "k6", "k7"];
    const claimers = await startClaimers(7, { folder, keys: ks, ttlMs: 10, forMs: 4_000 });
    for (const process of claimers.processes.slice(0, 6)) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      process.kill("SIGKILL");
    }
    const killedMs = Date.now();
    const { claims, refusals } = await claimers.ended;
    expect(refusals).toEqual([]);
    for (const k of ks) {
      const ofKey = claims.filter(({ key }) => key === k);
      expect(tooEarly(ofKey, 10)).toEqual([]);
    }
    const later = claims.filter(({ isFirst, beforeMs }) => isFirst && beforeMs > killedMs);
    expect(later.length).toBeGreaterThan(5);
  });

  it("fail closed while one that was stopped holds the lock, and claim new keys all the same", async () => {
    const folder = join(quickFolder(), "claims");
    const hammering = { folder, keys: ["k"], ttlMs: 20, forMs: 8_000, lockTimeoutMs: 50 };
    const [stopped, other] = (await startClaimers(2, hammering)).processes;
    await new Promise((resolve) => setTimeout(resolve, 300));
    stopped?.kill("SIGSTOP");
    other?.kill("SIGKILL");
    const late = await startClaimers(1, { folder, keys: ["new", "k"], ttlMs: HOUR_MS, lockTimeoutMs: 50 });
    const { claims, refusals } = await late.ended;
    stopped?.kill("SIGKILL");
    expect(claims[0]).toMatchObject({ key: "new", isFirst: true });
    // Where it was stopped is chance: holding the lock, or not.
    expect([...claims.slice(1), ...refusals]).toHaveLength(1);
    for (const { code } of refusals) expect(code).toBe("ledger_busy");
  });
});
