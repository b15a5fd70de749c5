import { HookAction, type PreToolUseHook } from "./hook.js";

/** Blocks the tools named. */
export function toolBlocklist(tools: Iterable<string>): PreToolUseHook {
  const blocked = new Set(tools);
  return {
    name: "tool-blocklist",
    preToolUse: ({ toolName }) =>
      blocked.has(toolName) ? HookAction.block(`Tool '${toolName}' is blocked by policy`) : undefined,
  };
}

/** Blocks every tool that is not named; an empty list blocks all. */
export function toolAllowlist(tools: Iterable<string>): PreToolUseHook {
  const allowed = new Set(tools);
  return {
    name: "tool-allowlist",
    preToolUse: ({ toolName }) =>
      allowed.has(toolName) ? undefined : HookAction.block(`Tool '${toolName}' is not in the allowlist`),
  };
}

/** Asks before every call of the tools named. */
export function confirmTools(tools: Iterable<string>): PreToolUseHook {
  const confirmed = new Set(tools);
  return {
    name: "confirm-tools",
    preToolUse: ({ toolName }) =>
      confirmed.has(toolName) ? HookAction.ask(`Allow tool '${toolName}' to execute?`) : undefined,
  };
}
