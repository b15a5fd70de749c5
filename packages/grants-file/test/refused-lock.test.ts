import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createGrant } from "@x/permission-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeHost } from "../src/host.js";
import { FileGrantStore } from "../src/index.js";
import { hostWith, systemError } from "./support/hosts.js";
import { startSaver } from "./support/saver.js";
import { fileStore, foreignEntry, storeOn } from "./support/stores.js";
import { publicFolder, temporaryFolder } from "./support/temporary-folder.js";

const grant = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });
const old = `[${foreignEntry("old")}]`;

/** A folder of 64 kB on a file system of its own, or null where none may be made. */
function smallDisk(): string | null {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return folder;
}

describe("a folder in which nothing can be written", () => {
  it("refuses a save with code storage, and can be read", async () => {
    const folder = publicFolder();
    const saver = await startSaver(folder, join(folder, "root"), 0o022);
    await saver.save("first");
    const { ledgerPath } = new FileGrantStore({ projectDir: folder, rootDir: join(folder, "root") });
    chmodSync(dirname(ledgerPath), 0o500);
    await expect(saver.save("second")).rejects.toThrow(/^storage: cannot write the grant ledger .*EACCES/);
    chmodSync(dirname(ledgerPath), 0o700);
    expect(await saver.save("third")).toEqual(["first", "third"]);
    expect(readdirSync(dirname(ledgerPath))).toEqual(["grants.json"]);
  });

  it("refuses it the same way on a file system that is mounted read-only", async () => {
    const create = () => Promise.reject(systemError("EROFS"));
    const { store, write, text } = storeOn({ ...nodeHost, lockFiles: { ...nodeHost.lockFiles, create } });
    write(old);
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "EROFS" } });
    expect(await store.revoke("no-such-id")).toBeNull();
    expect(text()).toBe(old);
  });
});

describe("a full disk", () => {
  it("[CASE-108] refuses a save with code storage, and leaves the old ledger and nothing else", async () => {
    const disk = smallDisk();
    const folder = disk ?? temporaryFolder();
    const path = join(folder, "grants.json");
    writeFileSync(path, old);
    if (disk !== null)
      expect(() => writeFileSync(join(disk, "ballast"), Buffer.alloc(100_000))).toThrow("ENOSPC");
    const create = () => Promise.reject(systemError("ENOSPC"));
    const refusing = { ...hostWith({}), lockFiles: { ...nodeHost.lockFiles, create } };
    const { store } = storeOn(disk === null ? refusing : nodeHost, path);
    await expect(store.save(grant)).rejects.toMatchObject({ code: "storage", cause: { code: "ENOSPC" } });
    expect(readFileSync(path, "utf8")).toBe(old);
    expect(readdirSync(folder).filter((name) => name !== "ballast")).toEqual(["grants.json"]);
    expect((await store.load()).map(({ id }) => id)).toEqual(["old"]);
  });
});

describe("the lock of a ledger that is a symbolic link", () => {
  it("lies beside the file that the link leads to, where every name of that file meets", async () => {
    const { store, path } = fileStore();
    const target = join(temporaryFolder(), "mine.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(target, old);
    symlinkSync(target, path);
    writeFileSync(`${path}.lock`, "this is nobody's lock");
    await store.save(grant);
    writeFileSync(`${target}.lock`, "this is somebody's lock");
    const { store: impatient } = storeOn(nodeHost, path, 0);
    await expect(impatient.save(grant)).rejects.toMatchObject({
      code: "ledger_busy",
      message: expect.stringContaining(`remove ${target}.lock`),
    });
  });

  it("is sought anew when the link was led elsewhere while a save waited", async () => {
    const { path } = fileStore();
    const [before, after] = ["before", "after"].map((name) => join(temporaryFolder(), name)) as [
      string,
      string,
    ];
    mkdirSync(dirname(path), { recursive: true });
    for (const target of [before, after]) writeFileSync(target, "[]");
    symlinkSync(before, path);
    let refusals = 1;
    const link: typeof nodeHost.lockFiles.link = async (file, name) => {
      if (refusals-- <= 0) return nodeHost.lockFiles.link(file, name);
      execFileSync("ln", ["-sfn", after, path]);
      return false;
    };
    const { store } = storeOn({ ...nodeHost, lockFiles: { ...nodeHost.lockFiles, link } }, path);
    await store.save(grant);
    expect(readFileSync(before, "utf8")).toBe("[]");
    expect(JSON.parse(readFileSync(after, "utf8"))).toEqual([grant]);
  });
});

describe("lockTimeoutMs", () => {
  it("bounds every save of many that wait for one lock, and not all of them together", async () => {
    const { store, path, write } = storeOn(nodeHost, undefined, 600);
    write(old);
    writeFileSync(`${path}.lock`, "somebody's");
    const startMs = performance.now();
    const saving = Array.from({ length: 10 }, () => store.save(grant).catch((error) => error.code));
    const later = new Promise((resolve) => setTimeout(resolve, 400)).then(() => store.revoke("old"));
    expect(await Promise.all(saving)).toEqual(saving.map(() => "ledger_busy"));
    // One after the other they would take 6,000.
    expect(performance.now() - startMs).toBeLessThan(3_000);
    // Its own time has not passed, so that it gets the lock that is free now.
    unlinkSync(`${path}.lock`);
    expect(await later).toMatchObject({ id: "old" });
    await store.save(grant);
  });

  it("counts from its own turn where those before got the lock", async () => {
    const { store, path, write, text } = storeOn(nodeHost, undefined, 300);
    write(old);
    writeFileSync(`${path}.lock`, "somebody's");
    const first = store.save(grant);
    const others = Array.from({ length: 5 }, (_, index) => store.save({ ...grant, id: `${index}` }));
    await new Promise((resolve) => setTimeout(resolve, 200));
    unlinkSync(`${path}.lock`);
    await Promise.all([first, ...others]);
    expect(JSON.parse(text())).toHaveLength(7);
  });

  it.each([-1, Number.NaN, "5" as unknown as number])("refuses %j", (lockTimeoutMs) => {
    expect(() => new FileGrantStore({ projectDir: "/", lockTimeoutMs })).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringContaining("lockTimeoutMs") }),
    );
  });

  it.each([0, 1.5, Number.POSITIVE_INFINITY])("takes %j", (lockTimeoutMs) => {
    expect(() => new FileGrantStore({ projectDir: "/", lockTimeoutMs })).not.toThrow();
  });
});
