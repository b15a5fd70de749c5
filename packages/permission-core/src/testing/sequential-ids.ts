import { fnv1a64 } from "../fnv1a64.js";
import type { IdSource } from "../ids.js";

/**
 * The same UUIDs at every run: `00000000-0000-4000-8000-000000000001` and so on. `prefix` tells sources apart: up to 8
 * hex digits begin each id as they stand (`"a5"`: `a5000000-0000-…`), any other text begins it with its digest.
 */
export function sequentialIds(prefix = ""): IdSource {
  const head = /^[0-9a-f]{0,8}$/.test(prefix) ? prefix.padEnd(8, "0") : fnv1a64(prefix).slice(0, 8);
  let count = 0;
  return {
    uuid() {
      count += 1;
      return `${head}-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
    },
  };
}
