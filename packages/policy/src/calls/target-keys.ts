import type { PolicyCall } from "@x/permission-core";
import type { CallOptions, TargetSort, ToolKind } from "./call-target.js";
import { isPathKind } from "./tool-kind.js";

const OTHERS: readonly string[] = ["path", "file_path", "pattern", "url", "query"];

const BY_KIND: ReadonlyMap<string, readonly string[]> = new Map([
  ["Shell", ["command", "cmd"]],
  ["Copy", ["source", "destination"]],
  ["Move", ["source", "destination"]],
  // What they look for is no path, and where is.
  ["Grep", ["path", "file_path"]],
  ["Glob", ["path", "file_path", "pattern"]],
]);

/** The keys of a call's input under which its targets may stand: of the tool, else of its kind, else the defaults. */
export function targetKeysOf({ tool }: PolicyCall, kind: ToolKind, options: CallOptions): readonly string[] {
  return configuredKeys(tool, kind, options) ?? BY_KIND.get(kind) ?? OTHERS;
}

function configuredKeys(
  tool: string,
  kind: ToolKind,
  { targetKeys }: CallOptions,
): readonly string[] | undefined {
  if (targetKeys === undefined) return undefined;
  if (Object.hasOwn(targetKeys, tool)) return targetKeys[tool];
  if (Object.hasOwn(targetKeys, kind)) return targetKeys[kind];
  return kind === "Shell" && Object.hasOwn(targetKeys, "Bash") ? targetKeys["Bash"] : undefined;
}

/** What kind of text stands under a key. A path is one whatever the tool, so that `..` leads no allow astray. */
export function sortOf(key: string, kind: ToolKind): TargetSort {
  if (key === "url") return "url";
  if (PATH_KEYS.has(key) || isPathKind(kind)) return "path";
  return kind === "WebFetch" && key !== "query" ? "url" : "text";
}

const PATH_KEYS: ReadonlySet<string> = new Set(["path", "file_path", "source", "destination"]);
