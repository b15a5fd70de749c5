import { readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ClaimFolder } from "../../src/claims/claim-folder.js";
import { FileClaimStore } from "../../src/index.js";
import { hostWith } from "../support/hosts.js";
import { quickFolder, temporaryFolder } from "../support/temporary-folder.js";

const isNamedAsClaim = (name: string) => /^[0-9a-f]{64}$/.test(name);
const claimsIn = (folder: string) => readdirSync(folder).filter(isNamedAsClaim).length;

describe("claims that are over", () => {
  it("are removed where every process ends before a minute has passed", async () => {
    const clock = new ManualClock(Date.now());
    const folder = join(quickFolder(), "claims");
    for (let run = 0; run < 20; run += 1) {
      expect(await new FileClaimStore({ folder, clock }).claim(`${run}`, { ttlMs: 1_000 })).toBe(true);
      clock.advance(1_000);
    }
    expect(claimsIn(folder)).toBe(1);
  });

  it("are looked at a few at a time by a store's first claim, and all of them a minute later", async () => {
    const clock = new ManualClock(Date.now());
    const folder = join(quickFolder(), "claims");
    const many = new FileClaimStore({ folder, clock });
    for (let key = 0; key < 600; key += 1) await many.claim(`${key}`, { ttlMs: 1_000 });
    clock.advance(1_000);
    const store = new FileClaimStore({ folder, clock });
    await store.claim("first", { ttlMs: 600_000 });
    expect(claimsIn(folder)).toBe(600 - 256 + 1);
    clock.advance(60_000);
    await store.claim("second", { ttlMs: 600_000 });
    expect(claimsIn(folder)).toBe(2);
  });

  it("are not removed while others wait for the lock: a first claim waits for nobody", async () => {
    const folder = join(temporaryFolder(), "claims");
    const clock = { ...systemClock, now: () => Date.now() + aheadMs };
    let aheadMs = 0;
    const store = new FileClaimStore({ folder, clock, lockTimeoutMs: 2_000 });
    expect(await store.claim("over", { ttlMs: 1_000 })).toBe(true);
    aheadMs = 60_000;
    writeFileSync(join(folder, "claims.lock"), "somebody's");
    let isWaiting = true;
    const waiting = new FileClaimStore({ folder, clock }).claim("over", { ttlMs: 1_000 }).finally(() => {
      isWaiting = false;
    });
    expect(await store.claim("new", { ttlMs: 1_000 })).toBe(true);
    expect(isWaiting).toBe(true);
    unlinkSync(join(folder, "claims.lock"));
    expect(await waiting).toBe(true);
  });

  it("take no time from the claim that removes them", async () => {
    const clock = new ManualClock(Date.now());
    const { files } = hostWith({});
    const readdir = (async (folder: string) => {
      clock.advance(5_000);
      return files.readdir(folder);
    }) as typeof files.readdir;
    const claims = new ClaimFolder(join(temporaryFolder(), "claims"), hostWith({ readdir }), clock, 0);
    expect(await claims.claim("other", 1_000)).toBe(true);
    clock.advance(60_000);
    expect(await claims.claim("k", 1_000)).toBe(true);
    clock.advance(999);
    expect(await claims.claim("k", 1_000)).toBe(false);
    clock.advance(1);
    expect(await claims.claim("k", 1_000)).toBe(true);
  });
});
