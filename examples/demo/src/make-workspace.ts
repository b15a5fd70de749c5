import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  explained,
  FOREIGN_MARK,
  MARK,
  requireUntouchedByOthers,
  TEMPLATE,
  type Workspace,
} from "./workspace.js";

/** Makes what is missing of it; several runs may do so at once. Throws `BadInput` where the system refuses. */
export function makeWorkspace({ folder, project, state, isNamed, isShipped }: Workspace): void {
  explained(() => {
    makeFolder(folder);
    if (!isNamed) requireUntouchedByOthers(folder);
    if (state === "new") makeProject(folder, project);
    if (!isShipped) writeFileSync(join(folder, FOREIGN_MARK), "");
  });
}

/** Folder by folder, as `recursive` never ends where the system lets nobody make folders, as in `/proc`. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another run was first.
    if (!existsSync(folder)) throw error;
  }
}

/** The copy appears under its name all at once, or not at all; whoever is first wins. */
function makeProject(folder: string, project: string): void {
  writeFileSync(join(folder, MARK), "A workspace of the demo of Permission Gate. It can be deleted.\n");
  const copy = mkdtempSync(join(folder, ".copy-"));
  try {
    cpSync(TEMPLATE, copy, { recursive: true });
    renameSync(copy, project);
  } catch (error) {
    rmSync(copy, { recursive: true, force: true });
    if (!existsSync(project)) throw error;
  }
}
