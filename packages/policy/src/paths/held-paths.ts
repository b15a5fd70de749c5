import { isWithin } from "./fold-names.js";

interface Entry {
  readonly path: string;
  readonly position: number;
}

/**
 * The paths of a list, found by a folder that holds them. All are folded; those of no workspace may be relative. A position
 * that is none is `Infinity`, so that the least of several is the first.
 */
export class HeldPaths {
  /** by their code units, so that what begins alike stands together */
  readonly #sorted: readonly Entry[];
  /** the first that begins where relative paths do */
  readonly #firstRelative: number;

  constructor(paths: Iterable<Entry>) {
    this.#sorted = [...paths].sort((one, other) => {
      if (one.path !== other.path) return one.path < other.path ? -1 : 1;
      return one.position - other.position;
    });
    this.#firstRelative = this.#sorted.reduce(
      (least, { path, position }) => (STARTS_ELSEWHERE.test(path) ? least : Math.min(least, position)),
      Number.POSITIVE_INFINITY,
    );
  }

  /** The position of the first path of the list that is the folder or below it. */
  firstIn(folder: string): number {
    // Without a workspace a path may be relative: `.` and `..` hold what begins there.
    if (folder.startsWith(".") && RELATIVE_TOP.test(folder)) return this.#firstRelative;
    const equal = this.#sorted[this.#indexOf(folder)];
    let least = equal?.path === folder ? equal.position : Number.POSITIVE_INFINITY;
    const beginning = folder.endsWith("/") ? folder : `${folder}/`;
    for (let at = this.#indexOf(beginning); at < this.#sorted.length; at++) {
      const { path, position } = this.#sorted[at] as Entry;
      if (!isWithin(folder, path)) break;
      least = Math.min(least, position);
    }
    return least;
  }

  /** Where the first stands that is not before `path`. */
  #indexOf(path: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle] as Entry).path < path) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const RELATIVE_TOP = /^\.\.?(?:\/\.\.)*$/;
const STARTS_ELSEWHERE = /^(?:\/|\.\.(?:\/|$))/;
