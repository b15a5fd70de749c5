import { basename, dirname, join } from "node:path";
import { PermissionGateError } from "@x/permission-core";
import type { FileSystem } from "./host.js";
import { systemCode } from "./storage-error.js";

export type LedgerTarget =
  | { kind: "missing" }
  | { kind: "file"; path: string }
  /** `path` is the file that the link leads to */
  | { kind: "linked"; path: string };

/**
 * What stands under a ledger's name. A symbolic link that leads nowhere or in a circle throws code `storage`: putting a
 * new file in its place would part the ledger from where its owner keeps it.
 */
export async function findLedgerTarget(ledgerPath: string, files: FileSystem): Promise<LedgerTarget> {
  try {
    const stats = await files.lstat(ledgerPath);
    if (!stats.isSymbolicLink()) return { kind: "file", path: ledgerPath };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return { kind: "missing" };
    throw error;
  }
  try {
    return { kind: "linked", path: await files.realpath(ledgerPath) };
  } catch (cause) {
    const end = systemCode(cause) === "ENOENT" ? "leads to no file" : "cannot be followed";
    throw new PermissionGateError(
      "storage",
      `the grant ledger ${ledgerPath} is a symbolic link that ${end}`,
      { cause },
    );
  }
}

/** One name for one file, whether or not it exists yet: the real path as far as there is one, then the rest. */
export async function settledPath(path: string, files: FileSystem): Promise<string> {
  try {
    return await files.realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await settledPath(parent, files), basename(path));
  }
}
