import type { CallOptions } from "../calls/call-target.js";
import { targetKeysOf } from "../calls/target-keys.js";
import { isListedKind, kindOf } from "../calls/tool-kind.js";
import { type EvaluationOptions, evaluationOptionsOf } from "../evaluate/evaluation-request.js";

/**
 * How a child reads calls: as its parent does, and further where its options say more. Of tools and keys the parent's entries
 * stand, and no kind that rules know becomes another one, since the parent's denies are written for what the parent reads. A
 * child's keys stand beside those that the parent looks under. An option that is undefined says nothing.
 */
export function childReading(parent: EvaluationOptions, options: EvaluationOptions): EvaluationOptions {
  const said: EvaluationOptions = Object.fromEntries(
    Object.entries(evaluationOptionsOf(options)).filter(([, value]) => value !== undefined),
  );
  const toolKinds = withEntries(
    parent.toolKinds,
    Object.entries(said.toolKinds ?? {}).filter(([tool]) => !isListedKind(tool)),
  );
  const targetKeys = withEntries(
    parent.targetKeys,
    Object.entries(said.targetKeys ?? {}).flatMap(([tool, keys]) =>
      besideKnown(tool, keys, toolKinds, parent),
    ),
  );
  return { ...parent, ...said, toolKinds, targetKeys };
}

/** The parent's entries, and those of names that it says nothing of. */
function withEntries<Value>(
  parent: { readonly [name: string]: Value } = {},
  child: readonly (readonly [string, Value])[],
): { readonly [name: string]: Value } {
  return Object.fromEntries([...child, ...Object.entries(parent)]);
}

/** The keys of a `Copy` or `Move` stand for its two operands, so those of a kind itself cannot be added to. */
function besideKnown(
  tool: string,
  keys: readonly string[],
  toolKinds: CallOptions["toolKinds"] & object,
  parent: CallOptions,
): [string, readonly string[]][] {
  const call = { tool, input: null };
  const kind = kindOf(call, { toolKinds });
  if (kind === "Copy" || kind === "Move") {
    const isKnown = isListedKind(tool) || Object.hasOwn(parent.targetKeys ?? {}, kind);
    return isKnown ? [] : [[tool, keys]];
  }
  return [[tool, [...new Set([...targetKeysOf(call, kind, parent), ...keys])]]];
}
