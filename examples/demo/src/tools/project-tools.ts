import { editTool } from "./edit-tool.js";
import { grepTool } from "./grep-tool.js";
import { listTool } from "./list-tool.js";
import { readTool } from "./read-tool.js";
import { shellTool } from "./shell-tool.js";
import { writeTool } from "./write-tool.js";

/** The tools that work in the folder `root`, a real path. */
export function projectTools(root: string, { shellDescription }: { shellDescription: string }) {
  return [
    listTool(root),
    readTool(root),
    grepTool(root),
    writeTool(root),
    editTool(root),
    shellTool(root, shellDescription),
  ] as const;
}

export type ProjectTools = ReturnType<typeof projectTools>;
