import { lstatSync, readFileSync } from "node:fs";
import type { ToolChecks } from "@x/middleware";
import { PermissionCheck } from "@x/permission-core";
import { placeInside } from "./place-inside.js";
import type { ProjectTools } from "./tools/project-tools.js";

/** Reasons and prompts name no paths: they reach records, which hold no arguments. Details reach approvers only. */
const OUTSIDE = PermissionCheck.deny("the path leads outside the project");

/** Where agents that work in a container believe the project to be. */
const CONTAINER_FOLDER = "/app/";

/** What each tool may do in the project at `root`, a real path. */
export function projectChecks(root: string): ToolChecks<ProjectTools> {
  const isInside = (path: string) => placeInside(root, path) !== null;
  const allowInside = ({ path }: { path: string }) => (isInside(path) ? PermissionCheck.allow() : OUTSIDE);
  return {
    list: allowInside,
    read: allowInside,
    grep: allowInside,
    write: (input) => judgeWrite(root, input),
    edit: ({ path, old, new: replacement }) =>
      isInside(path)
        ? PermissionCheck.ask("Edit a file of the project?", {
            details: [path, ...marked("-", old), ...marked("+", replacement)].join("\n"),
          })
        : OUTSIDE,
    shell: ({ command }) => PermissionCheck.ask("Run a shell command?", { details: command }),
  };
}

/** New files are free, other text is not. A path in a container's folder is rewritten to the same path in the project. */
function judgeWrite(root: string, { path, content }: { path: string; content: string }): PermissionCheck {
  const place = placeInside(root, path);
  if (place !== null) {
    return holdsOtherText(place, content)
      ? PermissionCheck.ask("Replace a file of the project?", {
          details: [path, ...marked("+", content)].join("\n"),
        })
      : PermissionCheck.allow();
  }
  if (!path.startsWith(CONTAINER_FOLDER)) return OUTSIDE;
  const moved = path.slice(CONTAINER_FOLDER.length);
  const movedPlace = placeInside(root, moved);
  if (movedPlace === null) return OUTSIDE;
  return holdsOtherText(movedPlace, content)
    ? PermissionCheck.deny("the file has another text already; edit it in the project")
    : PermissionCheck.modify({ path: moved, content });
}

function holdsOtherText(place: string, content: string): boolean {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (!stats.isFile() || stats.size !== Buffer.byteLength(content)) return true;
  return readFileSync(place, "utf8") !== content;
}

function marked(mark: "-" | "+", text: string): string[] {
  return text.split("\n").map((line) => `${mark} ${line}`);
}
