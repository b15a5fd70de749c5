/** What `Tool(pattern)` names. */
export interface RuleSpec {
  tool: string;
  /** empty: every target */
  pattern: string;
}

/**
 * Reads `Tool` or `Tool(pattern)`; the pattern ends at the last parenthesis and may hold others. White space around the
 * whole does not count. null: it is no rule.
 */
export function parseRuleSpec(text: string): RuleSpec | null {
  const spec = text.trim();
  const open = spec.indexOf("(");
  if (open === -1) return isToolName(spec) ? { tool: spec, pattern: "" } : null;
  const tool = spec.slice(0, open);
  if (!spec.endsWith(")") || !isToolName(tool)) return null;
  return { tool, pattern: spec.slice(open + 1, -1) };
}

/** A name without white space or parentheses, which a mistyped rule would have. */
function isToolName(text: string): boolean {
  return /^[^\s()]+$/.test(text);
}
