import type { WorkspaceReader } from "@x/permission-core";

export interface ScriptedWorkspace extends WorkspaceReader {
  /** what is read: a text, nothing, or a failure */
  readonly files: Map<string, string | Error>;
  /** how often each path was read */
  readonly reads: Map<string, number>;
}

/** A workspace at `/w` whose reads are counted and may fail. */
export function scriptedWorkspace(
  files: { readonly [path: string]: string | Error } = {},
): ScriptedWorkspace {
  const contents = new Map(Object.entries(files));
  const reads = new Map<string, number>();
  return {
    root: "/w",
    platform: "posix",
    caseInsensitive: false,
    files: contents,
    reads,
    realPath: (path) => path,
    readText(path) {
      reads.set(path, (reads.get(path) ?? 0) + 1);
      const found = contents.get(path);
      if (found instanceof Error) throw found;
      return found === undefined ? null : { text: found, stamp: "the same for all" };
    },
  };
}
