/** What to say of a path pattern that has alternatives in braces. */
export const ALTERNATIVES = "has braces, which are literal here: write one rule for each of what they list";

/** Whether a path pattern lists alternatives as a shell's does: `*.{pem,key}`, `{1..3}`. */
export function hasAlternatives(pattern: string): boolean {
  return /\{[^{}]*(?:,|\.\.)[^{}]*\}/.test(pattern);
}

/**
 * The tools of rules that seem to follow one another in a single pattern: `rm:*) Bash(dd:*`. A capital, an MCP server or the
 * rule's own tool tells a rule from code; behind a space or comma any name does.
 */
export function toolsInPattern(tool: string, pattern: string): string[] {
  return [...pattern.matchAll(/\)([\s,;|]*)([\p{L}_][\p{L}\p{N}_.:*-]*)\(/gu)].flatMap(
    ([, between, name = ""]) =>
      /^[\s,]+$/.test(between ?? "") || /^(?:\p{Lu}|mcp__)/u.test(name) || name === tool ? [name] : [],
  );
}
