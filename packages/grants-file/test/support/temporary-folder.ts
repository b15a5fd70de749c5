import { existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder, by its real path, removed when the test has ended. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, "grants-file-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The same where every user gets to, also where the place for temporary files is below somebody's private folder. */
export function publicFolder(): string {
  const places = [tmpdir(), "/tmp", "/var/tmp", "/dev/shm"];
  const place = places.find((folder) => existsSync(folder) && isPassable(realpathSync(folder)));
  if (place === undefined) throw new Error(`no user without privileges gets to any of ${places.join(", ")}`);
  return temporaryFolder(place);
}

/** Whether anybody may pass through the folder and all above it. */
function isPassable(folder: string): boolean {
  const mayPass = (statSync(folder).mode & 0o001) !== 0;
  return mayPass && (dirname(folder) === folder || isPassable(dirname(folder)));
}

/** The same in memory where Linux offers that: processes take turns many times faster, since syncing costs nothing. */
export function quickFolder(): string {
  return temporaryFolder(existsSync("/dev/shm") ? "/dev/shm" : tmpdir());
}
