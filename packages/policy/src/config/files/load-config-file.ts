import type { RuleSet } from "@x/permission-core";
import type { ConfigFile } from "./config-file.js";
import { missingFile, parseConfigFile, unreadableFile } from "./parse-config-file.js";
import type { ReadFileText } from "./read-file-text.js";

/** Reads one file and its rules. Never throws: what cannot be read fails closed. */
export function loadConfigFile(file: ConfigFile, readFile: ReadFileText): RuleSet {
  let text: string | null;
  try {
    text = readFile(file.path);
  } catch (error) {
    return unreadableFile(file, error);
  }
  return text === null ? missingFile(file) : parseConfigFile(file, text);
}
