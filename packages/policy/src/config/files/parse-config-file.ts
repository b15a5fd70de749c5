import type { RuleSet } from "@x/permission-core";
import { CLAUDE_TOOLS } from "../claude/claude-tools.js";
import { readClaudeSettings } from "../claude/read-claude-settings.js";
import type { ConfigSource } from "../permissions/config-source.js";
import { readPermissions } from "../permissions/read-permissions.js";
import { RuleCollector } from "../permissions/rule-collector.js";
import type { ConfigEntry, ConfigNode } from "../syntax/config-node.js";
import { ConfigSyntaxError } from "../syntax/config-syntax-error.js";
import { parseJson } from "../syntax/parse-json.js";
import { parseYaml } from "../syntax/parse-yaml.js";
import { repeatedKey } from "../syntax/repeated-key.js";
import { TextPlaces } from "../syntax/text-places.js";
import { type ConfigFile, MAX_BYTES, syntaxOf } from "./config-file.js";

/** The rules of a file's text. Never throws: what cannot be read fails closed. */
export function parseConfigFile(file: ConfigFile, text: string): RuleSet {
  const content = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const unknown = {
    file: file.path,
    scope: file.scope,
    places: new TextPlaces(content),
    isQuotable: false,
    ...(file.form === "claude" ? { knownTools: CLAUDE_TOOLS } : {}),
  };
  const refused = (message: string, offset: number): RuleSet =>
    refusal(unknown, { type: "other", offset, end: content.length }, message);
  const unfit = unfitText(content);
  if (unfit !== null) return refused(unfit.message, unfit.offset);
  let root: ConfigNode;
  try {
    root = syntaxOf(file.path) === "json" ? parseJson(content) : parseYaml(content);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return refused(error.message, error.offset);
    return refused("cannot be parsed: write it more simply", 0);
  }
  const source = { ...unknown, isQuotable: holdsPermissions(root) };
  const repeated = repeatedKey(root);
  if (repeated !== null) return refusal(source, repeated, "is a key that stood here before: merge the two");
  const set = file.form === "claude" ? readClaudeSettings(root, source) : readPermissions(root, source);
  return file.trusted ? set : { ...set, rules: set.rules.filter((rule) => rule.effect !== "allow") };
}

/** Whether it is meant to hold rules, in either form. */
function holdsPermissions(root: ConfigNode): boolean {
  if (root.type !== "map") return false;
  return root.entries.some(({ key, value }) => key === "permissions" && value.type === "map");
}

function refusal(source: ConfigSource, node: ConfigNode | ConfigEntry, message: string): RuleSet {
  const collector = new RuleCollector(source);
  collector.refuse(node, message);
  return collector.finish();
}

/** The rules of a file that cannot be read. */
export function unreadableFile(file: ConfigFile, cause: unknown): RuleSet {
  const why = cause instanceof Error ? cause.message : String(cause);
  return refusedFile(file, `cannot be read, mend or remove it: ${why}`);
}

/** The rules of a file that is not there. */
export function missingFile(file: ConfigFile): RuleSet {
  if (!file.required) return { rules: [], problems: [], failClosed: null };
  return refusedFile(file, "does not exist: correct its name, or leave it out");
}

function refusedFile({ path, scope }: ConfigFile, message: string): RuleSet {
  const collector = new RuleCollector({ file: path, scope, places: new TextPlaces(""), isQuotable: false });
  collector.refuseFile(message);
  return collector.finish();
}

/** What no parser should be shown. */
function unfitText(text: string): { message: string; offset: number } | null {
  if (text.length > MAX_BYTES || Buffer.byteLength(text) > MAX_BYTES) {
    return {
      message: `is larger than ${MAX_BYTES / 1024} KiB: split the file or use wider patterns`,
      offset: 0,
    };
  }
  const offset = text.search(/[\0\uFFFD]/);
  if (offset !== -1) return { message: "is no UTF-8 text from here on: save it as UTF-8", offset };
  if (text.trim() !== "") return null;
  // A file that is being rewritten is empty for a moment: that must not lift its denies.
  return { message: "is empty: write permissions: {} if it should hold no rules, or remove it", offset: 0 };
}
