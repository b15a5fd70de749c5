import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new empty folder, by its real path, removed when the test has ended. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "grants-file-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
