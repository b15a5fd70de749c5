import type { RuleSet, WorkspaceReader } from "@x/permission-core";
import { loadConfigFile } from "./files/load-config-file.js";
import { ownFiles, projectFiles } from "./files/permission-files.js";
import { readFileText } from "./files/read-file-text.js";
import { readThrough } from "./files/read-through.js";
import type { PermissionFilesOptions } from "./permission-files-options.js";
import { uniteRuleSets } from "./unite-rule-sets.js";

/** Which permission files are read once, with those of a project where its workspace is given. */
export interface LoadPermissionFilesOptions extends PermissionFilesOptions {
  /** The project, whose files are read through it; left out: no project files. */
  workspace?: WorkspaceReader;
}

/**
 * The rules of all permission files as they are now, the strongest scope first; see `ProjectRuleResolver` for files that
 * are read again when they change. Both endings of a file may be there, then both hold. Never rejects: a file that cannot be
 * read or trusted makes the set `failClosed`, and `problems` say what to do.
 */
export async function loadPermissionFiles(options: LoadPermissionFilesOptions = {}): Promise<RuleSet> {
  const { workspace, readFile = readFileText } = options;
  const { strong, user } = ownFiles(options);
  const project =
    workspace === undefined
      ? []
      : projectFiles(workspace, options).map((file) => loadConfigFile(file, readThrough(workspace)));
  const sets = [
    ...strong.map((file) => loadConfigFile(file, readFile)),
    ...project,
    ...user.map((file) => loadConfigFile(file, readFile)),
  ];
  return uniteRuleSets(sets, options);
}
