import { changedLeaf } from "./changed-leaf.js";

export interface LeafChange {
  /** where the changed leaf stands: `expect.gate.verdict`, `records[2].reason` */
  path: string;
  /** a copy of the whole value with that one leaf changed */
  value: unknown;
}

/**
 * The value once for every leaf in it, with that leaf changed. Of strings and numbers in an array only the last is
 * changed, since they are compared as one; an empty array or object gets a member.
 */
export function leafChanges(value: unknown, path: string): LeafChange[] {
  if (Array.isArray(value)) return arrayChanges(value, path);
  if (typeof value === "object" && value !== null) return objectChanges(value, path);
  return [{ path, value: changedLeaf(value as string | number | boolean | null) }];
}

function arrayChanges(items: readonly unknown[], path: string): LeafChange[] {
  if (items.length === 0) return [{ path, value: ["changed"] }];
  const isOfObjects = items.some((item) => typeof item === "object" && item !== null);
  return items.flatMap((item, index) => {
    if (!isOfObjects && index < items.length - 1) return [];
    return leafChanges(item, `${path}[${index}]`).map((change) => ({
      path: change.path,
      value: items.with(index, change.value),
    }));
  });
}

function objectChanges(object: object, path: string): LeafChange[] {
  const entries = Object.entries(object);
  if (entries.length === 0) return [{ path, value: { changed: true } }];
  return entries.flatMap(([key, member]) =>
    leafChanges(member, `${path}.${key}`).map((change) => ({
      path: change.path,
      value: { ...object, [key]: change.value },
    })),
  );
}
