import type { ToolCall } from "@x/middleware";

/**
 * What the workers' models ask for. The first call of each is of one tool: the first worker asks about it, and the others
 * find the answer remembered.
 */
const PLAN: Readonly<Record<string, readonly { toolName: string; input: unknown }[]>> = {
  "worker-1": [
    { toolName: "add_note", input: { note: "monday", text: "water the plants" } },
    { toolName: "list_notes", input: {} },
    { toolName: "publish", input: { to: "team" } },
  ],
  "worker-2": [
    { toolName: "add_note", input: { note: "tuesday", text: "call the plumber" } },
    { toolName: "delete_note", input: { note: "monday" } },
    { toolName: "publish", input: { to: "press" } },
  ],
  "worker-3": [
    { toolName: "add_note", input: { note: "wednesday", text: "buy bread" } },
    { toolName: "list_notes", input: {} },
    { toolName: "publish", input: { to: "everybody" } },
  ],
};

export const WORKERS: readonly string[] = Object.keys(PLAN);

export function callsOf(worker: string): ToolCall[] {
  return (PLAN[worker] ?? []).map((call, index) => ({ ...call, callId: `${worker}/${index + 1}` }));
}
