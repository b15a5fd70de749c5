import type { CallTarget, ToolKind } from "../calls/call-target.js";
import type { Binding } from "./match-path.js";

const READ: Binding = { kind: "Read", by: "demands" };
const WRITTEN: Binding = { kind: "Write", by: "demands" };
const REMOVED: Binding = { kind: "Remove", by: "demands" };
/** An operator who wants to be asked about new files has said nothing about edits; one who denies has. */
const WRITE_DENIED: Binding = { kind: "Write", by: "denies" };

/** By kind: what a call of it does besides. */
const OF_KIND: ReadonlyMap<string, readonly Binding[]> = new Map([
  ["Grep", [READ]],
  ["Glob", [READ]],
  ["Edit", [WRITE_DENIED]],
  ["Remove", [WRITE_DENIED]],
]);
const NONE: readonly Binding[] = [];

/** By what is done to a target: what is moved away can be read where it comes to lie. */
const OF_OPERATION: { readonly [As in NonNullable<CallTarget["as"]>]: readonly Binding[] } = {
  Read: [READ],
  Write: [WRITTEN],
  Remove: [REMOVED, WRITE_DENIED, READ],
};

/** The kinds whose rules bind a target besides those of the call's own kind. */
export function bindingsOf(kind: ToolKind, as: CallTarget["as"]): readonly Binding[] {
  if (as !== null) return OF_OPERATION[as];
  return OF_KIND.get(kind) ?? NONE;
}
