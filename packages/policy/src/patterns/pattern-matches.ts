import { compilePattern, type PatternOptions } from "./compile-pattern.js";

/**
 * Whether a pattern for texts matches the whole of `text`: {@link compilePattern}, once. Without `?` it takes as long as pattern
 * and text together; with one, a step of each character for every 32 of the pattern, which in a rule are 4,096 at most.
 */
export function patternMatches(pattern: string, text: string, options: PatternOptions = {}): boolean {
  return compilePattern(pattern, options).matches(text);
}
