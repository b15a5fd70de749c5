import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { BadInput, messageOf } from "./bad-input.js";

/** The project as it is shipped. */
export const TEMPLATE = fileURLToPath(new URL("../project", import.meta.url));
/** Says that a folder is a workspace of ours, so that no other folder is ever written to. */
export const MARK = ".permission-gate-demo";
/** Says that calls of a transcript that is not ours ran here. */
export const FOREIGN_MARK = ".other-transcripts";
const OTHERS_MAY_WRITE = 0o022;

/** Where one or several runs of the demo work and keep what they know. The tools see `project` only. */
export interface Workspace {
  folder: string;
  /** the copy of the project; a real path */
  project: string;
  grants: string;
  ledger: string;
  /** `new`: not made yet; `kept`: as earlier runs left it; `missing`: not made, and `project` is the original */
  state: "new" | "kept" | "missing";
  /** Whether the user named it. */
  isNamed: boolean;
  /** Whether a transcript of ours is to run in it. */
  isShipped: boolean;
}

/**
 * The workspace of a run, which `makeWorkspace` then makes. A dry run makes nothing: without a workspace it takes the
 * original of the project. Throws `BadInput` for a folder with other things in it, and for one that cannot be trusted.
 */
export function locateWorkspace(
  program: string,
  named: string | undefined,
  { isShipped }: { isShipped: boolean },
  { dryRun }: { dryRun: boolean },
): Workspace {
  return explained(() => {
    const isNamed = named !== undefined;
    const folder = isNamed ? realFolder(resolve(named)) : defaultFolder(program, isShipped);
    if (!isNamed) requireUntouchedByOthers(folder);
    requireOurs(folder);
    const project = join(folder, "project");
    const stats = lstatSync(project, { throwIfNoEntry: false });
    if (stats !== undefined && !stats.isDirectory()) throw new Error(`${project} is not a folder`);
    const state = stats !== undefined ? "kept" : dryRun ? "missing" : "new";
    return {
      folder,
      project: state === "missing" ? TEMPLATE : project,
      grants: join(folder, "grants"),
      ledger: join(folder, "ledger.jsonl"),
      state,
      isNamed,
      isShipped,
    };
  });
}

/** Whether the files of a workspace are the work of the shipped transcripts alone. */
export function onlyShippedRanIn(workspace: Workspace): boolean {
  return !existsSync(join(workspace.folder, FOREIGN_MARK));
}

/** One folder for each user, since others can make folders in the same directory. */
function defaultFolder(program: string, isShipped: boolean): string {
  const user = process.getuid?.() ?? "user";
  return join(realpathSync(tmpdir()), `permission-gate-${program}-${user}${isShipped ? "" : "-others"}`);
}

/** A folder whose name anybody could foresee may have been put there by somebody else. */
export function requireUntouchedByOthers(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const isOwn = stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid);
  if (isOwn && (process.platform === "win32" || (stats.mode & OTHERS_MAY_WRITE) === 0)) return;
  throw new BadInput(`${folder} is not yours alone to write to; remove it, or name a --workspace`);
}

function realFolder(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const parent = dirname(folder);
  return parent === folder ? folder : join(realFolder(parent), basename(folder));
}

/** One look at the folder: the mark is the first thing that another run, just beginning, puts into it. */
function requireOurs(folder: string): void {
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  if (entries.length === 0 || entries.includes(MARK)) return;
  throw new BadInput(
    `${folder} holds other things than a workspace of this demo; name an empty or a new folder`,
  );
}

/** Runs `work`; what the system refuses becomes `BadInput`. */
export function explained<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof BadInput) throw cause;
    throw new BadInput(`the workspace cannot be used: ${messageOf(cause)}`, { cause });
  }
}
