const SERVER = /^mcp__(?:(?!__).)+$/su;

/**
 * Whether a rule's tool names `tool`: by the same text, by a trailing `*` for anything that follows, or by the bare name of an
 * MCP server for each of its tools (`mcp__git` names `mcp__git__push`, and not `mcp__github__push`). Empty names every tool.
 * With `exact` only the same text does: a tool may itself be called `R*`.
 */
export function toolMatches(
  ruleTool: string,
  tool: string,
  { exact = false }: { exact?: boolean } = {},
): boolean {
  if (ruleTool === tool) return true;
  if (exact) return false;
  if (ruleTool === "") return true;
  if (ruleTool.endsWith("*")) return tool.startsWith(ruleTool.slice(0, -1));
  return tool.startsWith(`${ruleTool}__`) && SERVER.test(ruleTool);
}
