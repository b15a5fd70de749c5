import type { CallOptions } from "../calls/call-target.js";
import type { EvaluationOptions } from "../evaluate/evaluation-request.js";
import type { ReadFileText } from "./files/read-file-text.js";

/** Which permission files are read, beside those of the project. */
export interface PermissionFilesOptions
  extends Pick<EvaluationOptions, "knownTools">,
    Pick<CallOptions, "toolKinds"> {
  /** Paths of managed files, each of which holds beside the others; one that does not exist is passed over. Default none. */
  managed?: readonly string[];
  /** Paths named on the command line. One that does not exist fails closed: it was meant to be there. Default none. */
  cli?: readonly string[];
  /**
   * The folder whose `permissions/settings.{yaml,json}` are the user's. Default `$XDG_CONFIG_HOME`, else `~/.config`; on
   * Windows `%APPDATA%`. null: none are read.
   */
  userConfigDir?: string | null;
  /** Whether allows of the project's own files count; default false. Their denies and asks always do. */
  trustProject?: boolean;
  /**
   * Whether Claude settings are read as well, translated: the project's `.claude/settings.json` and `settings.local.json`,
   * `.claude/settings.json` in `homeDir`, and the machine's managed settings. Default false.
   */
  claudeSettings?: boolean;
  /** Where the user's Claude settings lie; default the home folder. */
  homeDir?: string;
  /** How files outside the workspace are read; default from disk. */
  readFile?: ReadFileText;
}
