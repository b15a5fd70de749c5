import type { Anchors } from "../paths/anchors.js";
import { isWithin, joinPath } from "../paths/fold-names.js";
import { type PathPattern, pathTokens } from "./path-pattern.js";
import type { TextMatcher } from "./text-matcher.js";
import { literalPrefixOf, matcherOf } from "./token-matcher.js";

/**
 * The literal folders of a pattern as a path without `/` at its end, so that the top is only what no `..` leaves. A relative
 * one begins with `/` here too, as do the paths that are compared with it.
 */
export function literalFolder({ top, literal }: PathPattern): string {
  return literal.length === 0 ? top : joinPath(top, literal);
}

/** `folder` with the links of the workspace's root or home followed; null: it is below neither, or they are no links. */
export function throughAnchors(folder: string, anchors: Anchors): string | null {
  return (
    moved(folder, anchors.root, anchors.realRoot()) ??
    (anchors.home === null ? null : moved(folder, anchors.home, anchors.realHome()))
  );
}

/** Matchers of one pattern whose literal folders lead to different places, each made once for as long as it is the last. */
export class PlacedMatcher {
  readonly #pattern: PathPattern;
  readonly #spell: (text: string) => string;
  #folder: string | null = null;
  #matcher: TextMatcher | null = null;

  constructor(pattern: PathPattern, spell: (text: string) => string = (text) => text) {
    this.#pattern = pattern;
    this.#spell = spell;
  }

  at(folder: string): TextMatcher {
    if (this.#matcher === null || this.#folder !== folder) {
      this.#folder = folder;
      this.#matcher = matcherOf(this.#tokens(folder), this.#pattern.below ? "/" : "");
    }
    return this.#matcher;
  }

  literalPrefix(folder: string): string {
    return literalPrefixOf(this.#tokens(folder));
  }

  #tokens(folder: string): ReturnType<typeof pathTokens> {
    return pathTokens(this.#pattern, folder).map((token) =>
      typeof token === "string" ? this.#spell(token) : token,
    );
  }
}

function moved(folder: string, from: string, to: string | null): string | null {
  if (to === null || to === from || !isWithin(from, folder)) return null;
  const rest = folder.slice(from.endsWith("/") ? from.length - 1 : from.length);
  return (to.endsWith("/") ? to.slice(0, -1) : to) + rest;
}
