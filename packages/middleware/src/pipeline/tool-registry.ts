import { PermissionGateError } from "@x/permission-core";
import type { Tool } from "../tool.js";

/** How many similar names an error offers at the most. */
const SUGGESTIONS = 3;

/** The tools that a pipeline can run, by name. Names are looked up as they are: a tool may be called `constructor`. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();

  constructor(tools: Iterable<Tool> = []) {
    for (const tool of tools) this.register(tool);
  }

  /** Adds a tool. Throws `duplicate_tool` where the name is taken; use `replace` to put another in its place. */
  register(tool: Tool): this {
    if (this.#tools.has(tool.name)) {
      throw new PermissionGateError(
        "duplicate_tool",
        `A tool named '${tool.name}' is registered already; give it another name, or call replace().`,
      );
    }
    this.#tools.set(tool.name, tool);
    return this;
  }

  /** Puts a tool in the place of the one of its name, or adds it: what a server does when it lists its tools anew. */
  replace(tool: Tool): this {
    this.#tools.set(tool.name, tool);
    return this;
  }

  /** Whether there was one to remove. */
  remove(name: string): boolean {
    return this.#tools.delete(name);
  }

  get(name: string): Tool | null {
    return this.#tools.get(name) ?? null;
  }

  names(): string[] {
    return [...this.#tools.keys()];
  }

  /** Known names that look like `name`, nearest first; at most three, and none that is not close. */
  nearest(name: string): string[] {
    const limit = Math.max(2, Math.floor(name.length / 3));
    return this.names()
      .map((known) => ({ known, distance: editDistance(name.toLowerCase(), known.toLowerCase(), limit) }))
      .filter(({ distance }) => distance <= limit)
      .sort((left, right) => left.distance - right.distance)
      .slice(0, SUGGESTIONS)
      .map(({ known }) => known);
  }
}

/** Levenshtein's distance, given up as `limit + 1` where the lengths alone exceed it. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
