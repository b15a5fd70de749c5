import type { Audience, WorkspaceReader } from "@x/permission-core";
import type { PathForms } from "../paths/path-forms.js";
import type { CompiledRule } from "./compiled-rule.js";
import type { Matches } from "./matches.js";
import { ProgramIndex } from "./program-index.js";
import { TextIndex } from "./text-index.js";

/** The rules of a list that speak of one tool, found by what a call of it is about. */
export class RulesOfTool {
  readonly #rules: readonly CompiledRule[];
  #texts: TextIndex | null = null;
  #urls: TextIndex | null = null;
  #programs: ProgramIndex | null = null;
  #demands: readonly CompiledRule[] | null = null;

  constructor(rules: readonly CompiledRule[]) {
    this.#rules = rules;
  }

  get texts(): TextIndex {
    this.#texts ??= new TextIndex(this.#rules, (rule) => rule.textPatterns());
    return this.#texts;
  }

  get urls(): TextIndex {
    this.#urls ??= new TextIndex(this.#rules, (rule) => rule.urlPatterns());
    return this.#urls;
  }

  get programs(): ProgramIndex {
    this.#programs ??= new ProgramIndex(this.#rules);
    return this.#programs;
  }

  /** Adds those of an audience that match the path; `binding` says which of them bind calls of another kind. */
  addPath(
    forms: PathForms,
    { workspace, audience }: { workspace: WorkspaceReader | undefined; audience: Audience },
    matches: Matches,
    binding: "all" | "denies" | "demands" = "all",
  ): void {
    for (const rule of this.#rules) {
      if (binding !== "all" && !(binding === "denies" ? rule.effect === "deny" : rule.isDemand)) continue;
      if (rule.appliesTo(audience) && rule.matchesPath(forms, workspace)) matches.add(rule);
    }
  }

  /** A deny, or an ask that an operator wrote, of whatever target; null: there is none. */
  demand(audience: Audience): CompiledRule | null {
    this.#demands ??= this.#rules.filter((rule) => rule.isDemand);
    return this.#demands.find((rule) => rule.appliesTo(audience)) ?? null;
  }
}
