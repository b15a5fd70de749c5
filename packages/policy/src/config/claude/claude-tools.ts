/**
 * The tools of Claude that its settings may name, as https://docs.claude.com/en/docs/claude-code/settings and its releases
 * have them. A rule about one that has no like here is kept by that name, for hosts that have it.
 */
export const CLAUDE_TOOLS: ReadonlySet<string> = new Set(
  (
    "Agent AskUserQuestion Bash BashOutput Edit EnterPlanMode EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash " +
    "KillShell LS LSP ListMcpResourcesTool Monitor MultiEdit NotebookEdit NotebookRead Read ReadMcpResourceTool Skill " +
    "SlashCommand Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoRead TodoWrite ToolSearch WebFetch " +
    "WebSearch Write"
  ).split(" "),
);
