import * as files from "node:fs/promises";
import { type Clock, systemClock } from "@x/permission-core";

/** The part of `node:fs/promises` that the store uses. */
export type FileSystem = Pick<
  typeof files,
  "chmod" | "lstat" | "mkdir" | "open" | "realpath" | "rename" | "stat" | "unlink"
>;

/** Everything outside the process that the store touches. */
export interface Host {
  files: FileSystem;
  clock: Clock;
}

export const nodeHost: Host = { files, clock: systemClock };
