import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFileText } from "../../../src/config/files/read-file-text.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("reads a file, also through a link", () => {
  const folder = temporaryFolder({ "a.yaml": "permissions: {} # é" });
  symlinkSync("a.yaml", join(folder, "b.yaml"));
  expect(readFileText(join(folder, "b.yaml"))).toBe("permissions: {} # é");
});

it("gives null for what is not there, and below what is no folder", () => {
  const folder = temporaryFolder({ "a.yaml": "x" });
  expect(readFileText(join(folder, "b.yaml"))).toBeNull();
  expect(readFileText(join(folder, "a.yaml", "b.yaml"))).toBeNull();
});

it("reads no more than one byte beyond the limit", () => {
  const folder = temporaryFolder({ "a.yaml": "" });
  truncateSync(join(folder, "a.yaml"), 10_000_000_000);
  expect(readFileText(join(folder, "a.yaml"))).toHaveLength(262_145);
});

describe.skipIf(process.platform === "win32")("what is no ordinary file", () => {
  it("throws for a named pipe that nobody writes to, and does not wait", () => {
    const path = join(temporaryFolder(), "pipe.yaml");
    execFileSync("mkfifo", [path]);
    expect(() => readFileText(path)).toThrow("no ordinary file");
  });

  it.each(["/dev/zero", "/dev/null", "/"])("throws for %s", (path) => {
    expect(() => readFileText(path)).toThrow("no ordinary file");
  });

  it("throws for a folder, a loop of links and a link that leads nowhere", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder.yaml"));
    symlinkSync("loop.yaml", join(folder, "loop.yaml"));
    symlinkSync("nothing", join(folder, "broken.yaml"));
    for (const name of ["folder", "loop", "broken"]) {
      expect(() => readFileText(join(folder, `${name}.yaml`)), name).toThrow();
    }
  });
});
