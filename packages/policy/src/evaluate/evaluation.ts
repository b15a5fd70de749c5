import type { Audience, PermissionMode, Rule, WorkspaceReader } from "@x/permission-core";
import type { ToolKind } from "../calls/call-target.js";
import { kindOf } from "../calls/tool-kind.js";
import type { PathForms } from "../paths/path-forms.js";
import { CompiledRule } from "./compiled-rule.js";
import { type CompiledRules, compiledRules } from "./compiled-rules.js";
import type { EvaluationRequest } from "./evaluation-request.js";
import { Matches } from "./matches.js";
import { RulesOfTool } from "./rules-of-tool.js";

/** One request under way: what it asks, with its defaults, and the rules that may speak. */
export class Evaluation {
  readonly request: EvaluationRequest;
  readonly kind: ToolKind;
  readonly audience: Audience;
  readonly mode: PermissionMode;
  readonly workspace: WorkspaceReader | undefined;
  readonly #keepsMatches: boolean;
  readonly #lists: readonly CompiledRules[];
  #own: readonly RulesOfTool[] | null = null;

  constructor(request: EvaluationRequest, options: { keepsMatches: boolean }) {
    const { rules, learned, audience = "all", mode = "default" } = request;
    this.request = request;
    this.kind = kindOf(request.call, request);
    this.audience = audience;
    this.mode = mode;
    this.workspace = request.workspace;
    this.#keepsMatches = options.keepsMatches;
    const given = compiledRules(rules, "rules");
    const hasLearned = learned !== undefined && learned.length > 0;
    this.#lists = hasLearned ? [given, compiledRules(learned, "learned")] : [given];
  }

  newMatches(): Matches {
    return new Matches(this.#keepsMatches);
  }

  /** The rules that speak of the called tool. */
  get ownRules(): readonly RulesOfTool[] {
    this.#own ??= this.#lists.map((list) => list.ofTool(this.request.call.tool, this.kind));
    return this.#own;
  }

  /** The rules that speak of a kind by name, whatever was called. */
  rulesOfKind(kind: ToolKind): readonly RulesOfTool[] {
    return this.#lists.map((list) => list.ofTool(kind, kind));
  }

  /** A deny, or an ask that an operator wrote, that speaks of the kind; null: there is none. */
  demandOn(kind: ToolKind): CompiledRule | null {
    for (const rules of this.rulesOfKind(kind)) {
      const demand = rules.demand(this.audience);
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
export function isGuarded(forms: PathForms, workspace: WorkspaceReader | undefined): boolean {
  const matches = new Matches(false);
  GUARDED.pathsOf(workspace).addMatches(forms, "all", matches);
  return matches.winner() !== null;
}

/** By kind, what `accept-edits` adds for edits inside the workspace. */
export const ACCEPTED_EDITS: ReadonlyMap<string, CompiledRule> = new Map(
  ["Edit", "Write"].map((tool, index) => {
    const rule: Rule = { scope: "cli", tool, pattern: "", effect: "allow", id: "accept-edits" };
    return [tool, new CompiledRule(rule, "mode", index)];
  }),
);
