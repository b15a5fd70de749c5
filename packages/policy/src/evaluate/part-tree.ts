import type { ShellPart } from "../shell/shell-analysis.js";

/** How the parts of a command hang together: which start which, and which stand in whose substitutions. */
export class PartTree {
  readonly parts: readonly ShellPart[];
  #starters: ReadonlySet<number> | null = null;

  constructor(parts: readonly ShellPart[]) {
    this.parts = parts;
  }

  /** Whether some other part is what this one starts. */
  startsOthers(index: number): boolean {
    this.#starters ??= new Set(
      this.parts.flatMap(({ startedBy }) => (startedBy === null ? [] : [startedBy])),
    );
    return this.#starters.has(index);
  }

  /** What starts the part, the nearest first. */
  startersOf(index: number): ShellPart[] {
    const starters: ShellPart[] = [];
    let at = this.parts[index]?.startedBy ?? null;
    while (at !== null && starters.length < this.parts.length) {
      const starter: ShellPart | undefined = this.parts[at];
      if (starter === undefined) break;
      starters.push(starter);
      at = starter.startedBy;
    }
    return starters;
  }

  /** The part, what starts it, and all that these start. */
  commandOf(index: number): ReadonlySet<number> {
    const found = new Set([index]);
    for (let at = this.parts[index]?.startedBy ?? null; at !== null && !found.has(at); ) {
      found.add(at);
      at = this.parts[at]?.startedBy ?? null;
    }
    return this.#grow(found, ({ startedBy }) => [startedBy]);
  }

  /** What stands in the substitutions of these parts, at every depth, with all that it starts. */
  hiddenIn(command: ReadonlySet<number>): ShellPart[] {
    const all = this.#grow(new Set(command), ({ heldBy, startedBy }) => [heldBy, startedBy]);
    return [...all].flatMap((index) => (command.has(index) ? [] : (this.parts[index] ?? [])));
  }

  /** Adds every part that belongs to one in the set, until there is no more. */
  #grow(found: Set<number>, belongsTo: (part: ShellPart) => readonly (number | null)[]): Set<number> {
    for (let size = -1; size !== found.size; ) {
      size = found.size;
      this.parts.forEach((part, index) => {
        if (belongsTo(part).some((owner) => owner !== null && found.has(owner))) found.add(index);
      });
    }
    return found;
  }
}
