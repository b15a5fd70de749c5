import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of a file that does not exist yet, in a folder of its own, and what takes both away. */
export function temporaryFile(): { file: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "custom-grant-store-"));
  return { file: join(folder, "grants.db"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
