import * as files from "node:fs/promises";
import { type Clock, systemClock } from "@x/permission-core";
import { type LockFiles, nodeLockFiles } from "./lock/lock-files.js";
import { nodeProcesses, type ProcessTable } from "./lock/process-table.js";
import { type FileContent, readFileNow } from "./read-file.js";

/** The part of `node:fs/promises` that the store uses. */
export type FileSystem = Pick<
  typeof files,
  "chmod" | "lstat" | "mkdir" | "open" | "readdir" | "realpath" | "rename" | "stat" | "unlink"
>;

/** Everything outside the process that the store touches. */
export interface Host {
  files: FileSystem;
  readFile(path: string): FileContent;
  clock: Clock;
  lockFiles: LockFiles;
  processes: ProcessTable;
}

export const nodeHost: Host = {
  files,
  readFile: readFileNow,
  clock: systemClock,
  lockFiles: nodeLockFiles,
  processes: nodeProcesses,
};
