import type { ConfigEntry, ConfigNode } from "./config-node.js";

/** The first entry whose key stood in the same object before, at any depth; null: there is none. */
export function repeatedKey(node: ConfigNode): ConfigEntry | null {
  if (node.type === "list") return firstOf(node.items, repeatedKey);
  if (node.type !== "map") return null;
  const keys = new Set<string>();
  return firstOf(node.entries, (entry) => {
    if (keys.has(entry.key)) return entry;
    keys.add(entry.key);
    return repeatedKey(entry.value);
  });
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
