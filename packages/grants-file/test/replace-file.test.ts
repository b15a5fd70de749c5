import { linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import * as nodeFiles from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGrant } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import type { FileSystem, Host } from "../src/host.js";
import { nodeHost } from "../src/host.js";
import { hostWith, impatientClock, systemError } from "./support/hosts.js";
import { foreignEntry, storeOn } from "./support/stores.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const old = `[${foreignEntry("old")}]`;
const grant = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });

/** A store on a ledger that holds `old`, on a host with some file operations replaced. */
function storeOverOld(host: Host) {
  const path = join(temporaryFolder(), "grants.json");
  writeFileSync(path, old);
  const bench = storeOn(host, path);
  return { ...bench, folder: dirname(path), names: () => readdirSync(dirname(path)) };
}

type Handle = Awaited<ReturnType<FileSystem["open"]>>;

/** Opens files as usual, and lets a test act on the handles of those that are created. */
function openingWith(change: (handle: Handle, path: string, mode: number) => void): FileSystem["open"] {
  return async (path, flags, mode) => {
    const handle = await nodeFiles.open(path, flags, mode);
    if (flags === "wx") change(handle, String(path), Number(mode));
    return handle;
  };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("a save over an older ledger", () => {
  it("[CASE-111] creates the temporary file exclusively, 0600 before its first byte, under a name nobody can guess", async () => {
    const seen: { path: string; mode: number; size: number }[] = [];
    const host = hostWith({
      chmod: async () => undefined,
      open: openingWith((handle, path) => {
        handle.chmod = async () => undefined;
        const write = handle.writeFile.bind(handle);
        handle.writeFile = async (data) => {
          const { mode, size } = statSync(path);
          seen.push({ path, mode: mode & 0o777, size });
          await write(data);
        };
      }),
    });
    const { store, path, folder } = storeOverOld(host);
    await store.save(grant);
    await store.save({ ...grant, note: "again" });
    expect(seen.map(({ mode, size }) => [mode, size])).toEqual([
      [0o600, 0],
      [0o600, 0],
    ]);
    expect(new Set(seen.map((file) => file.path)).size).toBe(2);
    for (const file of seen) {
      expect(dirname(file.path)).toBe(folder);
      expect(file.path).toMatch(/\.grants\.json\.[0-9a-f]{32}\.tmp$/);
    }
    expect(modeOf(path)).toBe(0o600);
  });

  it("[CASE-111] fails, and leaves the old file, when the mode of the new one cannot be set", async () => {
    const host = hostWith({
      open: openingWith((handle) => {
        handle.chmod = async () => Promise.reject(systemError("EPERM"));
      }),
    });
    const { store, text, names } = storeOverOld(host);
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "EPERM" } });
    expect(text()).toBe(old);
    expect(names()).toEqual(["grants.json"]);
  });

  it("tightens a ledger that somebody made readable to all", async () => {
    const { store, path } = storeOverOld(nodeHost);
    expect(modeOf(path)).toBe(0o644);
    await store.save(grant);
    expect(modeOf(path)).toBe(0o600);
  });

  it("[CASE-102] tries again when the rename is refused twice, and then succeeds", async () => {
    const { clock, delaysMs } = impatientClock();
    let refusals = 2;
    const rename: FileSystem["rename"] = async (from, to) => {
      if (refusals-- > 0) throw systemError("EPERM");
      await nodeFiles.rename(from, to);
    };
    const { store, names } = storeOverOld(hostWith({ rename }, clock));
    await store.save(grant);
    expect((await store.load()).map(({ id }) => id)).toEqual(["old", grant.id]);
    expect(delaysMs).toEqual([10, 20]);
    expect(names()).toEqual(["grants.json"]);
  });

  it.each(["EPERM", "EBUSY", "EACCES"])(
    "[CASE-103] gives up with a typed error when the rename is refused for good (%s), the old content intact all the time",
    async (code) => {
      const { clock, delaysMs } = impatientClock();
      const contents = new Set<string>();
      const rename: FileSystem["rename"] = async (_from, to) => {
        contents.add(readFileSync(to, "utf8"));
        throw systemError(code);
      };
      const { store, text, names } = storeOverOld(hostWith({ rename }, clock));
      await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code } });
      expect(delaysMs).toEqual([10, 20, 40, 80, 160, 320, 640]);
      expect([...contents, text()]).toEqual([old, old]);
      expect(names()).toEqual(["grants.json"]);
      expect((await store.load()).map(({ id }) => id)).toEqual(["old"]);
    },
  );

  it("does not wait where the rename fails for another reason", async () => {
    const { clock, delaysMs } = impatientClock();
    const rename = () => Promise.reject(systemError("EXDEV"));
    const { store, names } = storeOverOld(hostWith({ rename }, clock));
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "EXDEV" } });
    expect(delaysMs).toEqual([]);
    expect(names()).toEqual(["grants.json"]);
  });

  it("[CASE-108] leaves the old ledger intact when the disk is full after ten bytes", async () => {
    const host = hostWith({
      open: openingWith((handle) => {
        handle.writeFile = async (data) => {
          await handle.write(Buffer.from(data as Uint8Array), 0, 10);
          throw systemError("ENOSPC");
        };
      }),
    });
    const { store, path, text, names } = storeOverOld(host);
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "ENOSPC" } });
    expect(text()).toBe(old);
    expect(names()).toEqual(["grants.json"]);
    expect((await storeOn(nodeHost, path).store.load()).map(({ id }) => id)).toEqual(["old"]);
  });

  it.each(["sync", "close"] as const)("leaves the old ledger intact when %s fails", async (name) => {
    const host = hostWith({
      open: openingWith((handle) => {
        const real = handle[name].bind(handle);
        handle[name] = async () => {
          await real();
          throw systemError("EIO");
        };
      }),
    });
    const { store, text, names } = storeOverOld(host);
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "EIO" } });
    expect(text()).toBe(old);
    expect(names()).toEqual(["grants.json"]);
  });

  it("syncs the file before the rename, and the folder once the lock is gone, so that neither is undone", async () => {
    const order: string[] = [];
    const host = hostWith({
      open: async (path, flags, mode) => {
        const handle = await nodeFiles.open(path, flags, mode);
        const sync = handle.sync.bind(handle);
        handle.sync = async () => {
          order.push(flags === "wx" ? "sync file" : `sync ${String(path)}`);
          await sync();
        };
        return handle;
      },
      rename: async (from, to) => {
        order.push("rename");
        await nodeFiles.rename(from, to);
      },
    });
    const remove = (path: string) => {
      if (path.endsWith("grants.json.lock")) order.push("unlock");
      return nodeHost.lockFiles.remove(path);
    };
    const { store, folder } = storeOverOld({ ...host, lockFiles: { ...host.lockFiles, remove } });
    await store.save(grant);
    expect(order).toEqual(["sync file", "rename", "unlock", `sync ${folder}`]);
  });

  it("[CASE-106] gives the name a new file and leaves other hard links the old one", async () => {
    const { store, path, folder, text } = storeOverOld(nodeHost);
    const other = join(folder, "backup.json");
    linkSync(path, other);
    await store.save(grant);
    expect(text()).toContain(grant.id);
    expect(readFileSync(other, "utf8")).toBe(old);
    expect(statSync(other).ino).not.toBe(statSync(path).ino);
  });
});
