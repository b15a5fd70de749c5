import { compilePattern, type PatternOptions } from "./compile-pattern.js";

/** Whether a pattern for texts matches the whole of `text`: {@link compilePattern}, once. */
export function patternMatches(pattern: string, text: string, options: PatternOptions = {}): boolean {
  return compilePattern(pattern, options).matches(text);
}
