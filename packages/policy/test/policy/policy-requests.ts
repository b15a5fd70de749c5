import type { PolicyCall, PolicyRequest } from "@x/permission-core";

/** A request of the main agent's session `s`. */
export function request(call: PolicyCall, fields: Partial<PolicyRequest> = {}): PolicyRequest {
  return { sessionId: "s", mode: "default", audience: "main", call, ...fields };
}

export const bash = (command: string): PolicyCall => ({ tool: "Bash", input: { command } });
export const file = (tool: string, path: string): PolicyCall => ({ tool, input: { path } });
