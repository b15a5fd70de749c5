import type { RuleEffect } from "@x/permission-core";
import { addressForms, hostPatternOf, hostsOf } from "./address.js";
import type { CompiledPattern } from "./compiled-pattern.js";
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
 * For an allow, and where `effect` is left out, the address must match in every form that it has; for a deny or an ask, in any.
 */
export function compileUrlPattern(pattern: string, options: UrlPatternOptions = {}): CompiledPattern {
  const tightens = options.effect !== undefined && options.effect !== "allow";
  const hosts = options.exact === true ? null : hostPatternOf(pattern);
  if (hosts !== null) {
    const matchers = hosts.map((host) => compilePattern(host));
    const isHost = (host: string) => matchers.some((matcher) => matcher.matches(host));
    return { literalPrefix: "", matches: (text) => meets(hostsOf(text), isHost, tightens) };
  }
  const text = compilePattern(pattern, options);
  const isText = (form: string) => text.matches(form);
  return {
    literalPrefix: tightens ? "" : text.literalPrefix,
    matches: (written) =>
      (tightens || text.matches(written)) && meets(addressForms(written), isText, tightens),
  };
}

/** Whether all forms match, and there is one; to tighten, whether any does. */
function meets(forms: readonly string[], matches: (form: string) => boolean, tightens: boolean): boolean {
  return tightens ? forms.some(matches) : forms.length > 0 && forms.every(matches);
}

/** What stands before the `:*` or `:` that makes a pattern a prefix; null: it is none. */
export function prefixOf(pattern: string): string | null {
  if (pattern.endsWith(":*")) return pattern.slice(0, -2);
  return pattern.endsWith(":") ? pattern.slice(0, -1) : null;
}
