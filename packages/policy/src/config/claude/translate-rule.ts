import type { RuleEffect, RuleScope } from "@x/permission-core";
import { parseRuleSpec } from "../../policy/parse-rule-spec.js";
import type { ReadEntry, RuleTarget } from "../permissions/read-entry.js";
import { upToWildcard } from "../permissions/tool-in-text.js";
import type { ConfigNode } from "../syntax/config-node.js";
import { translateDomain } from "./translate-domain.js";
import { translatePath } from "./translate-path.js";
import { translateShell } from "./translate-shell.js";
import { exactly, type Translation, untranslated } from "./translation.js";

interface ClaudeTool {
  /** the kinds whose calls an allow of it means */
  readonly kinds: readonly string[];
  /** likewise with a pattern, where they are more; a deny or ask means these in either case */
  readonly withPattern?: readonly string[];
  readonly translate: (pattern: string, effect: RuleEffect, scope: RuleScope) => Translation;
}

const FILE_EDITOR: ClaudeTool = { kinds: ["Edit"], withPattern: ["Edit", "Write"], translate: translatePath };
const AGENT: ClaudeTool = { kinds: ["Subagent"], translate: onlyWhole };

const TOOLS: ReadonlyMap<string, ClaudeTool> = new Map([
  ["Bash", { kinds: ["Bash"], translate: translateShell }],
  ["Read", { kinds: ["Read"], translate: translatePath }],
  ["NotebookRead", { kinds: ["Read"], translate: translatePath }],
  ["Edit", FILE_EDITOR],
  ["MultiEdit", FILE_EDITOR],
  ["NotebookEdit", FILE_EDITOR],
  ["Write", { kinds: ["Write"], translate: translatePath }],
  ["LS", { kinds: ["ListDir"], translate: translatePath }],
  ["Glob", { kinds: ["Glob"], translate: translatePath }],
  ["Grep", { kinds: ["Grep"], translate: translatePath }],
  ["WebFetch", { kinds: ["WebFetch"], translate: translateDomain }],
  ["Task", AGENT],
  ["Agent", AGENT],
]);

/**
 * A rule of Claude settings in our terms. What cannot be translated exactly tightens: an allow is left out; a deny or ask
 * is made wider, up to the whole tool.
 */
export function translateRule(node: ConfigNode, effect: RuleEffect, scope: RuleScope): ReadEntry {
  const text = node.type === "text" ? node.value : null;
  const spec = text === null ? null : parseRuleSpec(text);
  if (spec === null)
    return { targets: [], shown: {}, text, problem: "is no rule: write Tool or Tool(pattern)" };
  const tool = TOOLS.get(spec.tool) ?? { kinds: [spec.tool], translate: onlyWhole };
  const { patterns, difference } =
    spec.pattern === "" ? exactly("") : tool.translate(spec.pattern, effect, scope);
  if (effect === "allow") {
    const kinds = spec.pattern === "" ? tool.kinds : (tool.withPattern ?? tool.kinds);
    const problem = kinds.some((kind) => kind === "*" || kind !== upToWildcard(kind))
      ? "allows more tools than can be told: name them"
      : difference;
    return { targets: combine(kinds, patterns), shown: {}, text, problem };
  }
  // A host may have a tool of that very name, whatever kind it gives it.
  const names = new Set([...(tool.withPattern ?? tool.kinds), spec.tool].map(upToWildcard));
  if (patterns.length > 0)
    return { targets: combine([...names], patterns), shown: {}, text, problem: difference };
  if (spec.pattern.startsWith("!") || spec.pattern.startsWith("#")) {
    return { targets: [], shown: {}, text, problem: difference };
  }
  const problem = `${difference}. It is read as the whole tool`;
  return { targets: combine([...names], [{ pattern: "" }]), shown: {}, text, problem };
}

function combine(tools: readonly string[], patterns: Translation["patterns"]): RuleTarget[] {
  return tools.flatMap((tool) => patterns.map((pattern) => ({ tool, ...pattern })));
}

function onlyWhole(): Translation {
  return untranslated("has a pattern that says nothing about this tool here: name the tool alone");
}
