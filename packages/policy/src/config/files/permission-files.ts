import { homedir } from "node:os";
import { isAbsolute, join, posix, resolve, win32 } from "node:path";
import type { RuleScope, WorkspaceReader } from "@x/permission-core";
import type { PermissionFilesOptions } from "../permission-files-options.js";
import type { ConfigFile } from "./config-file.js";

type Form = ConfigFile["form"];

/** Files of the machine, the command line and the user, the strongest scope first. */
export function ownFiles(options: PermissionFilesOptions): { strong: ConfigFile[]; user: ConfigFile[] } {
  const claude = options.claudeSettings === true;
  const userFolder = options.userConfigDir === undefined ? userConfigFolder() : options.userConfigDir;
  const managed = (options.managed ?? []).map((path) => own(path, "managed"));
  const managedClaude = claude ? [own(managedClaudeSettings(), "managed", "claude")] : [];
  const cli = (options.cli ?? []).map((path) => ({ ...own(path, "cli"), required: true }));
  const user =
    userFolder === null
      ? []
      : ["yaml", "json"].map((ending) => own(join(userFolder, "permissions", `settings.${ending}`), "user"));
  const home = options.homeDir ?? homedir();
  const userClaude = claude ? [own(join(home, ".claude", "settings.json"), "user", "claude")] : [];
  return { strong: [...managed, ...managedClaude, ...cli], user: [...user, ...userClaude] };
}

/** Files of the project, the stronger scope first. */
export function projectFiles(
  { root, platform }: WorkspaceReader,
  { trustProject = false, claudeSettings = false }: PermissionFilesOptions,
): ConfigFile[] {
  const { join: joinPath } = platform === "win32" ? win32 : posix;
  const file = (scope: RuleScope, form: Form, ...names: string[]): ConfigFile => ({
    path: joinPath(root, ...names),
    scope,
    form,
    trusted: trustProject,
    required: false,
  });
  const inScope = (scope: RuleScope, name: string): ConfigFile[] => [
    file(scope, "permissions", ".permissions", `${name}.yaml`),
    file(scope, "permissions", ".permissions", `${name}.json`),
    ...(claudeSettings ? [file(scope, "claude", ".claude", `${name}.json`)] : []),
  ];
  return [...inScope("local-project", "settings.local"), ...inScope("shared-project", "settings")];
}

function own(path: string, scope: RuleScope, form: Form = "permissions"): ConfigFile {
  return { path: resolve(path), scope, form, trusted: true, required: false };
}

function userConfigFolder(): string {
  const configured = process.env[process.platform === "win32" ? "APPDATA" : "XDG_CONFIG_HOME"] ?? "";
  // The specification of the variable asks to ignore a relative one.
  return isAbsolute(configured) ? configured : join(homedir(), ".config");
}

/** As https://docs.claude.com/en/docs/claude-code/settings names it. */
function managedClaudeSettings(): string {
  if (process.platform === "darwin") return "/Library/Application Support/ClaudeCode/managed-settings.json";
  if (process.platform === "win32") return "C:\\Program Files\\ClaudeCode\\managed-settings.json";
  return "/etc/claude-code/managed-settings.json";
}
