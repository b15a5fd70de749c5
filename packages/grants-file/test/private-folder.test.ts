import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import * as nodeFiles from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FileSystem } from "../src/host.js";
import { nodeHost } from "../src/host.js";
import { ensurePrivateFolder } from "../src/private-folder.js";
import { hostWith } from "./support/hosts.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe("ensurePrivateFolder", () => {
  it("makes folders 0700 from the start, not only by the chmod that follows", async () => {
    const folder = temporaryFolder();
    const { files } = hostWith({ chmod: async () => undefined });
    await ensurePrivateFolder(join(folder, "a", "b"), files);
    expect([modeOf(join(folder, "a")), modeOf(join(folder, "a", "b"))]).toEqual([0o700, 0o700]);
  });

  it("sets the mode again, since the umask may have taken too much", async () => {
    const folder = temporaryFolder();
    const { files } = hostWith({
      mkdir: (async (path: string) => nodeFiles.mkdir(path, 0)) as FileSystem["mkdir"],
    });
    await ensurePrivateFolder(join(folder, "a"), files);
    expect(modeOf(join(folder, "a"))).toBe(0o700);
  });

  it("syncs the folder around each folder that it made", async () => {
    const folder = temporaryFolder();
    const synced: string[] = [];
    const open: FileSystem["open"] = async (path, ...rest) => {
      const handle = await nodeFiles.open(path, ...rest);
      const sync = handle.sync.bind(handle);
      handle.sync = async () => {
        synced.push(String(path));
        await sync();
      };
      return handle;
    };
    await ensurePrivateFolder(join(folder, "a", "b"), hostWith({ open }).files);
    expect(synced).toEqual([folder, join(folder, "a")]);
  });

  it("leaves the mode of a folder that exists", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "shared"));
    chmodSync(join(folder, "shared"), 0o775);
    await ensurePrivateFolder(join(folder, "shared"), nodeHost.files);
    expect(modeOf(join(folder, "shared"))).toBe(0o775);
  });

  it("fails below a link that leads nowhere, instead of trying for ever", async () => {
    const folder = temporaryFolder();
    symlinkSync("nowhere", join(folder, "link"));
    await expect(ensurePrivateFolder(join(folder, "link", "a"), nodeHost.files)).rejects.toMatchObject({
      code: "ENOENT",
    });
  });
});
