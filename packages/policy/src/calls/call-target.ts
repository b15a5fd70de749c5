/** What a call does, as rules name it. Anything that is no listed kind keeps its own tool's name. */
export type ToolKind =
  | "Shell"
  | "Read"
  | "Edit"
  | "Write"
  | "ListDir"
  | "Remove"
  | "Copy"
  | "Move"
  | "Glob"
  | "Grep"
  | "WebFetch"
  | "WebSearch"
  | (string & {});

/** What kind of text a target is: each is matched by rules of its own. */
export type TargetSort = "path" | "url" | "text";

/** One thing that a call is about. */
export interface CallTarget {
  /** the input's key it came from; null: none, as the workspace root of a `Grep` without a path */
  readonly key: string | null;
  readonly sort: TargetSort;
  readonly text: string;
  /** what is done to it, where that is not the call's own kind: the source of a `Copy` is read, its destination written */
  readonly as: "Read" | "Write" | "Remove" | null;
}

/** What is configured about tools, with defaults for each. */
export interface CallOptions {
  /** a host's own tool names, to kinds (`edit_file` → `Edit`) */
  readonly toolKinds?: { readonly [tool: string]: string };
  /** for a tool or kind, the keys under which its targets stand, in place of the defaults */
  readonly targetKeys?: { readonly [tool: string]: readonly string[] };
}
