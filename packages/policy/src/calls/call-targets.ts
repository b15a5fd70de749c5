import type { PolicyCall } from "@x/permission-core";
import type { CallOptions, CallTarget, ToolKind } from "./call-target.js";
import { globTargets } from "./glob-targets.js";
import { textsIn, valueUnder } from "./input-values.js";
import { sortOf, targetKeysOf } from "./target-keys.js";
import { isPathKind, kindOf } from "./tool-kind.js";

/** What is done to the first keys of a call and to its last one, where that is not the same. */
const OPERATIONS: ReadonlyMap<string, { from: CallTarget["as"]; to: CallTarget["as"] }> = new Map([
  ["Copy", { from: "Read", to: "Write" }],
  ["Move", { from: "Remove", to: "Write" }],
]);

/**
 * What a call is about, one target for each text under each key that may hold one; every one is judged, so that no decoy hides
 * another. An empty text stands for a target that cannot be read or is missing. `Grep` and `Glob` without a path search the
 * workspace's root (`.`). Of a shell call, its commands: see {@link shellCommands}.
 */
export function callTargets(call: PolicyCall, options: CallOptions = {}): CallTarget[] {
  const kind = kindOf(call, options);
  const keys = targetKeysOf(call, kind, options);
  if (OPERATIONS.has(kind)) return operands(call, kind, keys);
  const targets: CallTarget[] = [];
  for (const key of keys) addTargetsUnder(call, kind, key, targets);
  if (kind === "Glob") return globTargets(targets);
  if (targets.length > 0) return targets;
  if (kind === "Grep") return [{ key: null, sort: "path", text: ".", as: null }];
  return [{ key: null, sort: isPathKind(kind) ? "path" : "text", text: "", as: null }];
}

/**
 * The text of each command of a shell call, under whichever key; null: there is none, or one that is no text or empty, so that
 * nobody can say what would run.
 */
export function shellCommands(call: PolicyCall, options: CallOptions = {}): string[] | null {
  const commands: string[] = [];
  for (const key of targetKeysOf(call, kindOf(call, options), options)) {
    const value = valueUnder(call.input, key);
    if (value === undefined || value === null) continue;
    if (typeof value !== "string" || value.trim() === "") return null;
    commands.push(value);
  }
  return commands.length === 0 ? null : commands;
}

/** Each of both, whether it is there or not. */
function operands(call: PolicyCall, kind: ToolKind, keys: readonly string[]): CallTarget[] {
  const { from = null, to = null } = OPERATIONS.get(kind) ?? {};
  return keys.flatMap((key, index): CallTarget[] => {
    const as = index === keys.length - 1 ? to : from;
    const targets: CallTarget[] = [];
    addTargetsUnder(call, kind, key, targets, as);
    return targets.length > 0 ? targets : [{ key, sort: "path", text: "", as }];
  });
}

function addTargetsUnder(
  call: PolicyCall,
  kind: ToolKind,
  key: string,
  targets: CallTarget[],
  as: CallTarget["as"] = null,
): void {
  // Most keys that may hold a target are not there.
  const value = valueUnder(call.input, key);
  if (value === undefined) return;
  const sort = sortOf(key, kind);
  if (typeof value === "string") {
    targets.push({ key, sort, text: placeOf(value, kind), as });
    return;
  }
  const texts = textsIn(value);
  if (texts === null) targets.push({ key, sort, text: "", as });
  else for (const text of texts) targets.push({ key, sort, text: placeOf(text, kind), as });
}

/** A search of no place is one of the workspace's root. */
function placeOf(text: string, kind: ToolKind): string {
  return text === "" && (kind === "Grep" || kind === "Glob") ? "." : text;
}
