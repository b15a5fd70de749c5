import { GreedyMatcher } from "./greedy-matcher.js";
import { StateMatcher } from "./state-matcher.js";
import type { TextMatcher } from "./text-matcher.js";
import { SEGMENT_RUN, type Token } from "./token.js";

/**
 * The cheapest matcher for tokens that are joined. `ending` lists the characters of which one, and anything after it, may
 * also follow; empty: nothing may.
 */
export function matcherOf(tokens: readonly Token[], ending: string): TextMatcher {
  if (!tokens.every(isWhole)) return new StateMatcher(tokens, ending);
  const greedy = GreedyMatcher.of(tokens, ending);
  if (greedy !== null) return greedy;
  const [first, ...rest] = tokens;
  if (typeof first !== "string") return new StateMatcher(tokens, ending);
  if (ending === "" && rest[0] === SEGMENT_RUN && rest.length <= 2) {
    const [, last = ""] = rest;
    if (typeof last === "string") return nameMatcher(first, last);
  }
  return prefixedMatcher(first, new StateMatcher(rest, ending));
}

/** The literal with which every text begins that the tokens match. */
export function literalPrefixOf(tokens: readonly Token[]): string {
  const [first] = tokens;
  return typeof first === "string" ? first : "";
}

/** Half a character at the edge of a literal would be found inside a whole one by a search for code units. */
function isWhole(token: Token): boolean {
  return typeof token !== "string" || !LONE_SURROGATE.test(token);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** One name, of which the beginning and the end are given: `docs/*.md`. */
function nameMatcher(start: string, end: string): TextMatcher {
  const shortest = start.length + end.length;
  return {
    matches(text) {
      if (text.length < shortest || !text.startsWith(start) || !text.endsWith(end)) return false;
      const slash = text.indexOf("/", start.length);
      return slash === -1 || slash >= text.length - end.length;
    },
  };
}

function prefixedMatcher(start: string, rest: StateMatcher): TextMatcher {
  return { matches: (text) => text.startsWith(start) && rest.matches(text, start.length) };
}
