/**
 * The tool that a text which is no rule speaks of: the name before its first parenthesis, or all of it. null: that cannot
 * be told.
 */
export function toolInText(text: string): string | null {
  return /^\s*([\p{L}\p{N}_][\p{L}\p{N}_.:*-]*)\s*(?:\(|$)/u.exec(text)?.[1] ?? null;
}
