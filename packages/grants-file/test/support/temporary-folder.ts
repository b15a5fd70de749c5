import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder, by its real path, removed when the test has ended. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, "grants-file-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same in memory where Linux offers that: processes take turns many times faster, since syncing costs nothing. */
export function quickFolder(): string {
  return temporaryFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
}
