import type { RuleSet } from "@x/permission-core";
import type { ConfigFile } from "../../../src/config/files/config-file.js";
import { parseConfigFile } from "../../../src/config/files/parse-config-file.js";
import { ruleText } from "../../../src/evaluate/rule-text.js";

/** What the text of a file comes to: by default one of the user's, in YAML. */
export function parsed(text: string, file: Partial<ConfigFile> = {}): RuleSet {
  return parseConfigFile(
    { path: "/c/settings.yaml", scope: "user", form: "permissions", trusted: true, required: false, ...file },
    text,
  );
}

export function parsedClaude(permissions: object, file: Partial<ConfigFile> = {}): RuleSet {
  return parsed(JSON.stringify({ permissions }), { path: "/c/settings.json", form: "claude", ...file });
}

/** Each rule as `effect audience Tool(pattern)`, with `=` behind where it is compared literally. */
export function lines({ rules }: Pick<RuleSet, "rules">): string[] {
  return rules.map(
    (rule) => `${rule.effect} ${rule.audience} ${ruleText(rule)}${rule.exact === true ? " =" : ""}`,
  );
}
