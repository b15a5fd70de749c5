import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of the heap that are in use, after a collection. */
export function heapUsed(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  return process.memoryUsage().heapUsed;
}

/** `2.7 kB`. */
export function showBytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
