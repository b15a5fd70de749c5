import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { createGrant, fnv1a64, PermissionGateError } from "@x/permission-core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const grant = createGrant("shell", "Allow", "this_tool", { createdAtMs: 1 });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the project of a store", () => {
  it("is the same for every spelling of an existing folder", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "project"));
    symlinkSync("project", join(folder, "link"));
    const spellings = ["project", "link", "./project/", "link/../project", "project//."].map(
      (name) => `${folder}/${name}`,
    );
    spellings.push(relative(process.cwd(), join(folder, "project")));
    for (const projectDir of spellings) {
      expect(new FileGrantStore({ projectDir, rootDir: folder }).projectId).toBe(
        fnv1a64(join(folder, "project")),
      );
    }
  });

  it("keeps its ledger when it was bound before its folder exists, also for stores made afterwards", async () => {
    const folder = temporaryFolder();
    const options = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
    const early = new FileGrantStore(options);
    await early.save(grant);
    mkdirSync(options.projectDir);
    expect(await new FileGrantStore(options).load()).toEqual([grant]);
    expect(await early.load()).toEqual([grant]);
  });

  it("keeps its ledger through a linked parent, where the folder comes later", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "real"));
    symlinkSync("real", join(folder, "link"));
    const options = { projectDir: join(folder, "link", "project"), rootDir: join(folder, "root") };
    await new FileGrantStore(options).save(grant);
    mkdirSync(options.projectDir);
    expect(await new FileGrantStore(options).load()).toEqual([grant]);
  });

  it("is settled when the store is made: what the path leads to afterwards changes nothing for it", async () => {
    const folder = temporaryFolder();
    const options = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
    const bound = new FileGrantStore(options);
    mkdirSync(join(folder, "elsewhere"));
    symlinkSync("elsewhere", options.projectDir);
    await bound.save(grant);
    expect(await bound.load()).toEqual([grant]);
    expect(await new FileGrantStore(options).load()).toEqual([]);
  });

  it("does not move with the working directory", async () => {
    const folder = temporaryFolder();
    const before = process.cwd();
    process.chdir(folder);
    try {
      const store = new FileGrantStore({ projectDir: "project", rootDir: "root" });
      process.chdir("/");
      await store.save(grant);
      expect(store.ledgerPath).toBe(
        join(folder, "root", "projects", fnv1a64(join(folder, "project")), "grants.json"),
      );
      expect(await store.load()).toEqual([grant]);
    } finally {
      process.chdir(before);
    }
  });

  it.each([
    ["projectDir", { projectDir: "", rootDir: "/tmp" }],
    ["projectDir", { projectDir: "a\0b", rootDir: "/tmp" }],
    ["projectDir", { projectDir: undefined as unknown as string, rootDir: "/tmp" }],
    ["rootDir", { projectDir: "/tmp", rootDir: "" }],
  ])("refuses as %s what is no path: %j", (option, options) => {
    const make = () => new FileGrantStore(options);
    expect(make).toThrow(PermissionGateError);
    expect(make).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringContaining(option) }),
    );
  });
});

describe("the default root", () => {
  const ledgerOf = (base: string) =>
    join(base, "permission-gate/grants/projects", fnv1a64("/"), "grants.json");

  it.each([
    ["/var/state", "/var/state"],
    ["", join(homedir(), ".local/state")],
    ["state", join(homedir(), ".local/state")],
    [undefined, join(homedir(), ".local/state")],
  ])("with XDG_STATE_HOME %j lies in %s", (stateHome, base) => {
    vi.stubEnv("XDG_STATE_HOME", stateHome);
    expect(new FileGrantStore({ projectDir: "/" }).ledgerPath).toBe(ledgerOf(base));
  });
});
