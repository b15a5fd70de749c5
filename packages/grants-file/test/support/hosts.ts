import { type Clock, systemClock } from "@x/permission-core";
import { type FileSystem, type Host, nodeHost } from "../../src/host.js";

/** A clock whose timers fire at once, and the delays that were asked for. */
export function impatientClock(): { clock: Clock; delaysMs: number[] } {
  const delaysMs: number[] = [];
  const clock: Clock = {
    now: () => systemClock.now(),
    setTimer(callback, delayMs) {
      delaysMs.push(delayMs);
      queueMicrotask(callback);
      return { cancel: () => undefined };
    },
  };
  return { clock, delaysMs };
}

/** The real host with some of its file operations replaced. */
export function hostWith(files: Partial<FileSystem>, clock: Clock = systemClock): Host {
  return { ...nodeHost, files: { ...nodeHost.files, ...files }, clock };
}

/** The real host, counting its file operations by name. */
export function countingHost(clock: Clock = systemClock): { host: Host; counts: Map<string, number> } {
  const counts = new Map<string, number>();
  const files = new Proxy(nodeHost.files, {
    get(target, name: keyof FileSystem) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return target[name];
    },
  });
  const readFile: Host["readFile"] = (path) => {
    counts.set("readFile", (counts.get("readFile") ?? 0) + 1);
    return nodeHost.readFile(path);
  };
  return { host: { ...nodeHost, files, readFile, clock }, counts };
}

/** What the system throws. */
export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: refused for a test`), { code });
}
