import type { RuleEffect, RuleScope } from "@x/permission-core";
import { isListedKind } from "../../calls/tool-kind.js";
import { parseRuleSpec, type RuleSpec } from "../../policy/parse-rule-spec.js";
import { type ReadEntry, type RuleTarget, SEVERAL_RULES } from "../permissions/read-entry.js";
import { toolsInPattern } from "../permissions/suspect-pattern.js";
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
  /** whether its calls are only some of those kinds', so that an allow means the tool of that very name */
  readonly isNarrower?: boolean;
  readonly translate: (pattern: string, effect: RuleEffect, scope: RuleScope) => Translation;
}

const FILE_EDITOR: ClaudeTool = { kinds: ["Edit"], withPattern: ["Edit", "Write"], translate: translatePath };
/** Its allows do not mean the editor's, or the reader's, other calls. */
const narrower = (tool: ClaudeTool): ClaudeTool => ({ ...tool, isNarrower: true });
const READER: ClaudeTool = { kinds: ["Read"], translate: translatePath };
/** A wildcard in a name stands at its end and behind an MCP server. */
const SERVER_TOOLS = /^mcp__[^*]*[^*_]__[^*]*\*$/;
const AGENT: ClaudeTool = { kinds: ["Subagent"], translate: onlyWhole };

const TOOLS: ReadonlyMap<string, ClaudeTool> = new Map([
  ["Bash", { kinds: ["Bash"], translate: translateShell }],
  ["Read", READER],
  ["NotebookRead", narrower(READER)],
  ["Edit", FILE_EDITOR],
  ["MultiEdit", narrower(FILE_EDITOR)],
  ["NotebookEdit", narrower(FILE_EDITOR)],
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
  const others = toolsInPattern(spec.tool, spec.pattern);
  if (others.length > 0) {
    const isOneTool = others.every((name) => name === spec.tool);
    return { targets: [], shown: {}, text: isOneTool ? text : null, problem: SEVERAL_RULES };
  }
  const tool = TOOLS.get(spec.tool) ?? { kinds: [spec.tool], translate: onlyWhole };
  const { patterns, difference } =
    spec.pattern === "" ? exactly("") : tool.translate(spec.pattern, effect, scope);
  if (effect === "allow") {
    const problem = widening(spec) ?? difference;
    return { targets: combine(allowedTools(spec), patterns), shown: {}, text, problem };
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

function allowedTools({ tool, pattern }: RuleSpec): readonly string[] {
  const known = TOOLS.get(tool);
  if (known === undefined || known.isNarrower === true) return [tool];
  return pattern === "" ? known.kinds : (known.withPattern ?? known.kinds);
}

/** Why an allow would mean more here than it does there. */
function widening({ tool, pattern }: RuleSpec): string | null {
  if (tool.includes("*") && !SERVER_TOOLS.test(tool)) return "allows more tools than can be told: name them";
  const known = TOOLS.get(tool);
  if (known?.isNarrower === true && pattern !== "") {
    return "has a pattern for a tool whose targets are not known here: write it into a permission file";
  }
  if (known !== undefined || !isListedKind(tool) || tool === "WebSearch") return null;
  return "names no tool of Claude, but a kind of tools here: write it into a permission file";
}

function combine(tools: readonly string[], patterns: Translation["patterns"]): RuleTarget[] {
  return tools.flatMap((tool) => patterns.map((pattern) => ({ tool, ...pattern })));
}

function onlyWhole(): Translation {
  return untranslated("has a pattern that says nothing about this tool here: name the tool alone");
}
