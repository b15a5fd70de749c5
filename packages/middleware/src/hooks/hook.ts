import type { Awaitable, JsonValue } from "@x/permission-core";
import type { ToolDispatchResult } from "../dispatch-result.js";

/** What a hook says of a call before it runs. `undefined` instead of an action counts as allow. */
export type HookAction =
  | { kind: "allow" }
  | { kind: "block"; reason: string }
  | { kind: "ask"; prompt: string; details?: string };

export const HookAction: {
  allow(): HookAction;
  block(reason: string): HookAction;
  ask(prompt: string, options?: { details?: string }): HookAction;
} = {
  allow: () => ({ kind: "allow" }),
  block: (reason) => ({ kind: "block", reason }),
  ask: (prompt, options) =>
    options?.details === undefined
      ? { kind: "ask", prompt }
      : { kind: "ask", prompt, details: options.details },
};

export interface PreToolUseEvent {
  toolName: string;
  /** a copy of the event's own */
  input: JsonValue;
  sessionId: string;
  runId: string;
  /** a whole number from 0 */
  turn: number;
  /** empty where a dry run is of no particular call */
  callId: string;
  /** The call will not run: answer as for a real one, and neither count it nor do anything about it. */
  dryRun: boolean;
  signal: AbortSignal;
}

/** Judges a call before grants are asked and gates run. */
export interface PreToolUseHook {
  /** the record's `rule_id`; default `hook` */
  name?: string;
  preToolUse(event: PreToolUseEvent): Awaitable<HookAction | undefined>;
}

/** Sees a finished call. It cannot change the outcome. */
export interface PostToolUseHook {
  name?: string;
  postToolUse(event: PreToolUseEvent & { result: ToolDispatchResult }): Awaitable<void>;
}

/** Whether `value` is exactly a {@link HookAction}; anything else is no decision and blocks. */
export function isHookAction(value: unknown): value is HookAction {
  if (typeof value !== "object" || value === null) return false;
  const action = value as { [key: string]: unknown };
  switch (action["kind"]) {
    case "allow":
      return true;
    case "block":
      return typeof action["reason"] === "string";
    case "ask":
      return (
        typeof action["prompt"] === "string" &&
        (action["details"] === undefined || typeof action["details"] === "string")
      );
    default:
      return false;
  }
}
