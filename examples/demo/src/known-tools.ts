import { type Tool, ToolRegistry } from "@x/middleware";
import { BadInput } from "./bad-input.js";
import type { Transcript } from "./transcript.js";

/** Throws `BadInput` for the first call of a tool that is not there, before anything runs. */
export function requireKnownTools(transcript: Transcript, tools: readonly Tool[]): void {
  const registry = new ToolRegistry(tools);
  const index = transcript.calls.findIndex(({ toolName }) => registry.get(toolName) === null);
  const call = transcript.calls[index];
  if (call === undefined) return;
  const near = registry.nearest(call.toolName);
  const hint =
    near.length > 0 ? `nearest known: ${near.join(", ")}` : `known are: ${registry.names().join(", ")}`;
  throw new BadInput(`call ${index + 1} (${call.callId}) is of an unknown tool '${call.toolName}'; ${hint}`);
}
