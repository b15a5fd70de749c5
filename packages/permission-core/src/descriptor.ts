import type { JsonValue } from "./json.js";

/** What a model is told of a tool, and what a remembered approval is pinned to. */
export interface ToolDescriptor {
  name: string;
  description: string;
  /** a JSON Schema */
  inputSchema: JsonValue;
}
