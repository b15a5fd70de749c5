import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL("../../../..", import.meta.url));

export interface Manifest {
  name: string;
  private?: boolean;
  files?: string[];
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

export interface WorkspacePackage {
  /** absolute */
  folder: string;
  manifest: Manifest;
  /** of its turbo.json */
  tags: readonly string[];
}

/** The packages of a folder of the repository, by name; what has no manifest is none. */
export function packagesIn(parent: string): WorkspacePackage[] {
  const folders = readdirSync(join(ROOT, parent)).map((name) => join(ROOT, parent, name));
  return folders
    .filter((folder) => existsSync(join(folder, "package.json")))
    .map((folder) => {
      const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8")) as unknown;
      const { tags } = read("turbo.json") as { tags: string[] };
      return { folder, manifest: read("package.json") as Manifest, tags };
    });
}

/** What users install. */
export const PUBLISHED: readonly WorkspacePackage[] = packagesIn("packages");

/** Every file below a folder, with its text. */
export function sourcesOf(folder: string): { file: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ file, text: readFileSync(file, "utf8") }));
}
