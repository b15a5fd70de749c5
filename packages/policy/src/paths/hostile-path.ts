/** Longer than any system opens, in UTF-16 code units. */
export const LONGEST_PATH = 32_767;

/**
 * Whether a path is no name that a file system would take as it stands: it holds a NUL, at which some would cut it, or half a
 * surrogate pair, for which another character is put; it is too long; or it is a `file:` address, which some would open.
 */
export function isHostilePath(path: string): boolean {
  return (
    path.length > LONGEST_PATH || path.includes("\0") || LONE_SURROGATE.test(path) || FILE_ADDRESS.test(path)
  );
}

/**
 * Whether a normal or real path leads through what each process has as its own: its folder, its root, its open files. Who asks
 * here finds another place than who opens it later.
 */
export function isOfProcess(path: string): boolean {
  return path.startsWith("/proc/") && OF_PROCESS.test(path);
}

const OF_PROCESS = /^\/proc\/(?:self|thread-self|\d+)\/(?:cwd|root|exe|fd|map_files|task)(?:\/|$)/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const FILE_ADDRESS = /^file:/i;
