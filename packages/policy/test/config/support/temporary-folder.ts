import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder with these files, by its real path, removed when the test has ended. */
export function temporaryFolder(files: { readonly [name: string]: string } = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "policy-config-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeIn(folder, name, text);
  return folder;
}

/** Writes a file in place, with the folders above it. */
export function writeIn(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
