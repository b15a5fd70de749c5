import type { WorkspaceReader } from "@x/permission-core";
import type { ReadFileText } from "./read-file-text.js";

/**
 * Reads a workspace's files. Asks for the real path first: that is the quickest answer for what is missing, and tells a link
 * that leads nowhere, which throws.
 */
export function readThrough(workspace: WorkspaceReader): ReadFileText {
  return (path) => (workspace.realPath(path) === null ? null : (workspace.readText(path)?.text ?? null));
}
