import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ClaimFolder } from "../../src/claims/claim-folder.js";
import { claimPath } from "../../src/claims/claim-names.js";
import { FileClaimStore } from "../../src/index.js";
import { hostWith, systemError } from "../support/hosts.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

function storeAt(startMs?: number) {
  const clock = new ManualClock(startMs);
  const folder = join(temporaryFolder(), "state", "claims");
  return { clock, folder, store: new FileClaimStore({ folder, clock }) };
}

describe("a claim on files", () => {
  it("is over at its last millisecond, and not before", async () => {
    const { clock, store } = storeAt();
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(true);
    clock.advance(999);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(false);
    clock.advance(1);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(true);
    clock.advance(999);
    expect(await store.claim("k", { ttlMs: 1_000 })).toBe(false);
  });

  it("makes folders 0700 and a file 0600 whose name does not tell the key, and leaves nothing else", async () => {
    const { folder, store } = storeAt();
    await store.claim("secret", { ttlMs: 1_000 });
    await store.claim("secret", { ttlMs: 1_000 });
    const [name = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect([modeOf(folder), modeOf(join(folder, ".."))]).toEqual(["700", "700"]);
    expect(modeOf(join(folder, name))).toBe("600");
  });

  it("removes what is over, about once a minute, and what killed processes left", async () => {
    const { clock, folder, store } = storeAt(Date.now());
    for (let key = 0; key < 20; key += 1) await store.claim(`${key}`, { ttlMs: 30_000 });
    await store.claim("lasting", { ttlMs: 600_000 });
    const stray = join(folder, `.claims.${"ab".repeat(16)}.tmp`);
    writeFileSync(stray, "");
    utimesSync(stray, new Date(0), new Date(0));
    clock.advance(59_999);
    await store.claim("a", { ttlMs: 600_000 });
    expect(readdirSync(folder)).toHaveLength(23);
    clock.advance(1);
    await store.claim("b", { ttlMs: 600_000 });
    expect(readdirSync(folder).sort()).toEqual(["lasting", "a", "b"].map((key) => claimPath("", key)).sort());
  });

  it.each(["", "{}", "[]", '{"until_ms":"soon"}', '{"until_ms":1.5}', "\u0000"])(
    "whose file holds %j is refused to everybody, and stays",
    async (text) => {
      const { clock, folder, store } = storeAt();
      mkdirSync(folder, { recursive: true });
      writeFileSync(claimPath(folder, "k"), text);
      const refusal = { code: "storage", message: expect.stringContaining(claimPath(folder, "k")) };
      await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(refusal);
      clock.advance(600_000);
      await store.claim("other", { ttlMs: 1 });
      await expect(store.claim("k", { ttlMs: 1 })).rejects.toMatchObject(refusal);
    },
  );

  it("is refused where the folder cannot be written", async () => {
    const host = hostWith({ open: () => Promise.reject(systemError("EACCES")) });
    const claims = new ClaimFolder(join(temporaryFolder(), "claims"), host, new ManualClock(), 0);
    await expect(claims.claim("k", 1)).rejects.toMatchObject({ code: "storage", cause: { code: "EACCES" } });
  });

  it("that failed after it was made is nobody's: the next one reads false", async () => {
    const folder = join(temporaryFolder(), "claims");
    const clock = new ManualClock();
    let isBroken = false;
    const { files } = hostWith({});
    const host = hostWith({
      open: (async (...given: Parameters<typeof files.open>) => {
        if (isBroken && given[1] === "r") throw systemError("EIO");
        return files.open(...given);
      }) as typeof files.open,
    });
    const claims = new ClaimFolder(folder, host, clock, 0);
    expect(await claims.claim("first", 1)).toBe(true);
    isBroken = true;
    await expect(claims.claim("k", 1_000)).rejects.toMatchObject({ code: "storage" });
    isBroken = false;
    expect(await claims.claim("k", 1_000)).toBe(false);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it.each(["", "a\0b"])("refuses the folder %j", (folder) => {
    expect(() => new FileClaimStore({ folder })).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });

  it("makes nothing before the first claim", () => {
    const { folder } = storeAt();
    expect(existsSync(folder)).toBe(false);
  });
});
