import type { RuleEffect } from "@x/permission-core";
import { agreedHost, hostPatternOf, namesNoHost, possibleHosts } from "./address.js";
import { addressForms, equalAddresses, equalPatterns } from "./address-forms.js";
import type { CompiledPattern } from "./compiled-pattern.js";
import { LONGEST_ADDRESS } from "./read-address.js";
import type { TextMatcher } from "./text-matcher.js";
import { textTokens } from "./token.js";
import { literalPrefixOf, matcherOf } from "./token-matcher.js";

export interface PatternOptions {
  /** compare the pattern literally; default false */
  readonly exact?: boolean;
}

export interface UrlPatternOptions extends PatternOptions {
  /** what the rule does that the pattern stands in; default allow */
  readonly effect?: RuleEffect;
}

/** What separates the words of a command. Other white space is part of a word for a shell, so that it separates nothing. */
const WHITE_SPACE = " \t\n";

/**
 * A pattern for texts: anchored, by code point, `*` any run (newlines too), `?` any one code point, and nothing else special.
 * One that ends in `:*` or `:` is a prefix: what stands before it alone, or followed by a space, a tab or a newline and
 * anything. Empty matches everything. What a text holds is never interpreted.
 */
export function compilePattern(pattern: string, options: PatternOptions = {}): CompiledPattern {
  if (pattern === "") return { literalPrefix: "", matches: () => true };
  if (options.exact === true) return { literalPrefix: pattern, matches: (text) => text === pattern };
  const prefix = prefixOf(pattern);
  const tokens = textTokens(prefix ?? pattern);
  const matcher: TextMatcher = matcherOf(tokens, prefix === null ? "" : WHITE_SPACE);
  return { literalPrefix: literalPrefixOf(tokens), matches: (text) => matcher.matches(text) };
}

/**
 * A pattern for addresses: `domain:example.com` is that host and its subdomains, and everything else is a pattern for texts,
 * which also knows the address as a program would read it (with host in lower case and `..` folded).
 *
 * For an allow, and where `effect` is left out, the address must match in every form that it has, and for a domain it must be
 * one of `http` or `https` whose host is beyond dispute. For a deny or an ask any form is enough, and so is a host that nobody can tell. `domain:` with no
 * host allows nothing and denies everything, and so does every pattern but the empty one for an address above 8 kB.
 */
export function compileUrlPattern(pattern: string, options: UrlPatternOptions = {}): CompiledPattern {
  const { exact = false, effect = "allow" } = options;
  if (pattern === "") return compilePattern(pattern);
  const matches = effect === "allow" ? allowedUrls(pattern, exact) : tightenedUrls(pattern, exact);
  const isText = effect === "allow" && (exact || hostPatternOf(pattern) === null);
  return { literalPrefix: isText ? compilePattern(pattern, { exact }).literalPrefix : "", matches };
}

type Matches = CompiledPattern["matches"];

function allowedUrls(pattern: string, exact: boolean): Matches {
  const hosts = exact ? null : hostPatternOf(pattern);
  if (hosts !== null) {
    if (namesNoHost(pattern)) return () => false;
    const isHost = anyOf(hosts);
    return (text) => {
      const host = agreedHost(text);
      return host !== null && isHost(host);
    };
  }
  const { matches } = compilePattern(pattern, { exact });
  return (text) => text.length <= LONGEST_ADDRESS && matches(text) && addressForms(text).every(matches);
}

function tightenedUrls(pattern: string, exact: boolean): Matches {
  const hosts = exact ? null : hostPatternOf(pattern);
  if (hosts !== null) {
    const isHost = namesNoHost(pattern) ? () => true : anyOf(hosts);
    return (text) => {
      const possible = possibleHosts(text);
      return possible === null || some(possible, isHost);
    };
  }
  const isText = anyOf(equalPatterns(pattern), exact);
  return (text) => {
    const equal = equalAddresses(text);
    return equal === null || some(equal, isText);
  };
}

function anyOf(patterns: readonly string[], exact = false): Matches {
  const compiled = patterns.map((pattern) => compilePattern(pattern, { exact }));
  return (text) => compiled.some(({ matches }) => matches(text));
}

function some(texts: Iterable<string>, matches: Matches): boolean {
  for (const text of texts) if (matches(text)) return true;
  return false;
}

/** What stands before the `:*` or `:` that makes a pattern a prefix; null: it is none. */
export function prefixOf(pattern: string): string | null {
  if (pattern.endsWith(":*")) return pattern.slice(0, -2);
  return pattern.endsWith(":") ? pattern.slice(0, -1) : null;
}
