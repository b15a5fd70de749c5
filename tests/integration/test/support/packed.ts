import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Manifest, PUBLISHED, type WorkspacePackage } from "./workspace.js";

export const run: typeof execFile.__promisify__ = promisify(execFile);

/** Packs every published package, as it would be published. Gives the tarballs by package name. */
export async function packAll(): Promise<{ folder: string; tarballs: Map<string, string> }> {
  const folder = await mkdtemp(join(tmpdir(), "permission-gate-packed-"));
  const tarballs = new Map<string, string>();
  for (const { folder: cwd, manifest } of PUBLISHED) {
    const destination = join(folder, manifest.name.replace("/", "-"));
    await mkdir(destination);
    await run("pnpm", ["pack", "--pack-destination", destination], { cwd });
    const [tarball] = await readdir(destination);
    if (tarball === undefined) throw new Error(`${manifest.name} gave no tarball.`);
    tarballs.set(manifest.name, join(destination, tarball));
  }
  return { folder, tarballs };
}

/**
 * A project with this one package installed from its tarball, and with what its manifest declares: of ours from tarballs,
 * the rest as links to what the repository has installed. Nothing else can be resolved from it.
 */
export async function installAlone(
  name: string,
  packed: { folder: string; tarballs: Map<string, string> },
): Promise<string> {
  const project = await mkdtemp(join(packed.folder, "project-"));
  await install(name, project, packed.tarballs);
  return project;
}

async function install(name: string, project: string, tarballs: Map<string, string>): Promise<void> {
  const target = join(project, "node_modules", name);
  const tarball = tarballs.get(name);
  const source = PUBLISHED.find(({ manifest }) => manifest.name === name) as WorkspacePackage;
  await mkdir(target, { recursive: true });
  await run("tar", ["-xzf", tarball as string, "-C", target, "--strip-components=1"]);
  for (const dependency of dependenciesOf(source.manifest)) {
    if (tarballs.has(dependency)) {
      await install(dependency, project, tarballs);
    } else {
      const link = join(project, "node_modules", dependency);
      await mkdir(dirname(link), { recursive: true });
      await symlink(await realpath(join(source.folder, "node_modules", dependency)), link).catch(
        ignoreExisting,
      );
    }
  }
}

function dependenciesOf(manifest: Manifest): string[] {
  return Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}

/** The entry points of a package, as one imports them. */
export function entriesOf({ name, exports = {} }: Manifest): string[] {
  return Object.keys(exports)
    .filter((entry) => !entry.endsWith(".json"))
    .map((entry) => (entry === "." ? name : `${name}/${entry.slice(2)}`));
}
