/**
 * The tool that a text which is no rule speaks of: the name before its first parenthesis, or all of it, up to a wildcard.
 * null: that cannot be told.
 */
export function toolInText(text: string): string | null {
  const name = /^\s*([\p{L}\p{N}_][\p{L}\p{N}_.:*-]*)\s*(?:\(|$)/u.exec(text)?.[1];
  return name === undefined ? null : upToWildcard(name);
}

/** A tool's name has a wildcard at its end only; what stands behind another is cut off. */
export function upToWildcard(tool: string): string {
  const star = tool.indexOf("*");
  return star === -1 ? tool : tool.slice(0, star + 1);
}
