import type { Audience, PermissionMode, Rule, WorkspaceReader } from "@x/permission-core";
import type { ToolKind } from "../calls/call-target.js";
import { kindOf } from "../calls/tool-kind.js";
import { refreshAnchors } from "../paths/anchors.js";
import { lexicalForms } from "../paths/lexical-forms.js";
import type { PathForms } from "../paths/path-forms.js";
import { PrefixFolders } from "../paths/prefix-folders.js";
import { resolvePath } from "../paths/resolve-path.js";
import { CompiledRule } from "./compiled-rule.js";
import { type CompiledRules, compiledRules } from "./compiled-rules.js";
import type { EvaluationRequest } from "./evaluation-request.js";
import { LiteralPlaces } from "./literal-place.js";
import { Matches } from "./matches.js";
import type { PathJudge } from "./path-index.js";
import { RulesOfTool } from "./rules-of-tool.js";

/**
 * One request under way: what it asks, with its defaults, the rules that may speak, and what was looked up for it. The file
 * system is taken to stand still while it lives, and never longer.
 */
export class Evaluation implements PathJudge {
  readonly request: EvaluationRequest;
  readonly kind: ToolKind;
  readonly audience: Audience;
  readonly mode: PermissionMode;
  readonly workspace: WorkspaceReader | undefined;
  readonly folders: PrefixFolders = new PrefixFolders();
  readonly #keepsMatches: boolean;
  readonly #rules: CompiledRules;
  /** null: nothing was learned */
  readonly #learned: CompiledRules | null;
  #own: readonly RulesOfTool[] | null = null;
  #places: LiteralPlaces | null = null;

  constructor(request: EvaluationRequest, options: { keepsMatches: boolean }) {
    const { rules, learned, audience = "all", mode = "default" } = request;
    this.request = request;
    this.kind = kindOf(request.call, request);
    this.audience = audience;
    this.mode = mode;
    this.workspace = request.workspace;
    if (request.workspace !== undefined) refreshAnchors(request.workspace);
    this.#keepsMatches = options.keepsMatches;
    this.#rules = compiledRules(rules, "rules");
    this.#learned = learned === undefined || learned.length === 0 ? null : compiledRules(learned, "learned");
  }

  newMatches(): Matches {
    return new Matches(this.#keepsMatches);
  }

  /** `folder` is what a relative path starts at, as in `resolvePath`. */
  resolve(path: string, folder: string | null = ""): PathForms {
    const { workspace } = this;
    return workspace === undefined ? lexicalForms(path, folder) : resolvePath(path, { folder, workspace });
  }

  get places(): LiteralPlaces {
    this.#places ??= new LiteralPlaces(this.workspace);
    return this.#places;
  }

  /** The rules that speak of the called tool. */
  get ownRules(): readonly RulesOfTool[] {
    this.#own ??= this.#rulesOf(this.request.call.tool, this.kind);
    return this.#own;
  }

  /** The rules that speak of a kind by name, whatever was called. */
  rulesOfKind(kind: ToolKind): readonly RulesOfTool[] {
    return this.#rulesOf(kind, kind);
  }

  #rulesOf(tool: string, kind: ToolKind): readonly RulesOfTool[] {
    const rules = this.#rules.ofTool(tool, kind);
    return this.#learned === null ? [rules] : [rules, this.#learned.ofTool(tool, kind)];
  }

  /** A deny, or an ask that an operator wrote, that speaks of the kind; null: there is none. */
  demandOn(kind: ToolKind): CompiledRule | null {
    for (const rules of this.rulesOfKind(kind)) {
      const demand = rules.demand(this.audience);
      if (demand !== null) return demand;
    }
    return null;
  }

  /** The first such on any of the kinds. */
  demandOnAny(kinds: readonly ToolKind[]): CompiledRule | null {
    for (const kind of kinds) {
      const demand = this.demandOn(kind);
      if (demand !== null) return demand;
    }
    return null;
  }
}

/** What decides what an agent may do, and what git runs by itself: `accept-edits` leaves them to the rules. */
const GUARDED: RulesOfTool = new RulesOfTool(
  ["**/.permissions/**", "**/.claude/settings*.json", "**/.git/**"].map(
    (pattern, index) =>
      new CompiledRule({ scope: "cli", tool: "", pattern, effect: "ask", id: "accept-edits" }, "mode", index),
  ),
);

/** Whether `accept-edits` leaves the path to the rules, in whatever folder of the workspace it is. */
export function isGuarded(forms: PathForms, evaluation: Evaluation): boolean {
  const matches = new Matches(false);
  GUARDED.pathsOf(evaluation.workspace).addMatches(forms, evaluation, matches);
  return matches.winner() !== null;
}

/** By kind, what `accept-edits` adds for edits inside the workspace. */
export const ACCEPTED_EDITS: ReadonlyMap<string, CompiledRule> = new Map(
  ["Edit", "Write"].map((tool, index) => {
    const rule: Rule = { scope: "cli", tool, pattern: "", effect: "allow", id: "accept-edits" };
    return [tool, new CompiledRule(rule, "mode", index)];
  }),
);
