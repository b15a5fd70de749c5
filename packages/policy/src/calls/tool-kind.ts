import type { PolicyCall } from "@x/permission-core";
import type { CallOptions, ToolKind } from "./call-target.js";

const PATH_KINDS: ReadonlySet<string> = new Set([
  "Read",
  "Edit",
  "Write",
  "ListDir",
  "Remove",
  "Copy",
  "Move",
  "Glob",
  "Grep",
]);

/** The kinds that rules name. `Bash` is another name of `Shell`. */
export const LISTED_KINDS: readonly ToolKind[] = ["Shell", ...PATH_KINDS, "WebFetch", "WebSearch"];

/**
 * What a call does: what the host says of the call, else what it says of the tool, else the tool's name. `Bash` counts as
 * `Shell`.
 */
export function kindOf(call: PolicyCall, options: CallOptions = {}): ToolKind {
  const kind = namedKind(call, options);
  return kind === "Bash" ? "Shell" : kind;
}

export function isShellTool(call: PolicyCall, options: CallOptions = {}): boolean {
  return kindOf(call, options) === "Shell";
}

/** Whether the name is one that rules know as a kind. */
export function isListedKind(name: string): boolean {
  return name === "Bash" || LISTED_KINDS.includes(name);
}

/** Whether what calls of the kind are about are paths. */
export function isPathKind(kind: ToolKind): boolean {
  return PATH_KINDS.has(kind);
}

function namedKind({ tool, kind }: PolicyCall, { toolKinds }: CallOptions): ToolKind {
  if (kind !== undefined && kind !== "") return kind;
  if (toolKinds === undefined) return tool;
  return (Object.hasOwn(toolKinds, tool) ? toolKinds[tool] : undefined) ?? tool;
}
