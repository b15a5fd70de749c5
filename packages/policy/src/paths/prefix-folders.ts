import { type Anchors, realPathOf } from "./anchors.js";
import { followAbove } from "./follow-links.js";

/** The literal part of a pattern, taken apart. */
interface LiteralPart {
  readonly top: string;
  readonly literal: readonly string[];
}

/**
 * Where the links in the literal parts of patterns lead, each looked up once while one call is judged. Never kept longer,
 * since links change between calls. All patterns are of one workspace.
 */
export class PrefixFolders {
  #folders: Map<string, string | null> | null = null;

  /** Without `/` at its end; null: that cannot be told. `folder` is the literal part as a path. */
  realOf(folder: string, literal: LiteralPart, anchors: Anchors): string | null {
    this.#folders ??= new Map();
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const real = follow(folder, literal, anchors);
    const found = real?.endsWith("/") ? real.slice(0, -1) : real;
    this.#folders.set(folder, found);
    return found;
  }
}

function follow(folder: string, { top, literal }: LiteralPart, { reader }: Anchors): string | null {
  try {
    return realPathOf(reader, literal.length === 0 ? `${top}/` : folder) ?? followAbove(reader, top, literal);
  } catch {
    return null;
  }
}
