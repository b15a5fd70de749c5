import type { Audience, WorkspaceReader } from "@x/permission-core";
import type { CompiledRule } from "./compiled-rule.js";
import { PathIndex } from "./path-index.js";
import { ProgramIndex } from "./program-index.js";
import { TextIndex } from "./text-index.js";

/** The rules of a list that speak of one tool, found by what a call of it is about. Each index is made when it is needed. */
export class RulesOfTool {
  readonly #rules: readonly CompiledRule[];
  #texts: TextIndex | null = null;
  #urls: TextIndex | null = null;
  #programs: ProgramIndex | null = null;
  #demands: readonly CompiledRule[] | null = null;
  /** where there is no workspace */
  #lexicalPaths: PathIndex | null = null;
  readonly #paths = new WeakMap<WorkspaceReader, PathIndex>();

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

  pathsOf(workspace: WorkspaceReader | undefined): PathIndex {
    if (workspace === undefined) {
      this.#lexicalPaths ??= new PathIndex(this.#rules, undefined);
      return this.#lexicalPaths;
    }
    const known = this.#paths.get(workspace);
    if (known !== undefined) return known;
    const paths = new PathIndex(this.#rules, workspace);
    this.#paths.set(workspace, paths);
    return paths;
  }

  /** A deny, or an ask that an operator wrote, of whatever target; null: there is none. */
  demand(audience: Audience): CompiledRule | null {
    this.#demands ??= this.#rules.filter((rule) => rule.isDemand);
    return this.#demands.find((rule) => rule.appliesTo(audience)) ?? null;
  }

  /** The first that denies. */
  denial(audience: Audience): CompiledRule | null {
    return this.#rules.find((rule) => rule.effect === "deny" && rule.appliesTo(audience)) ?? null;
  }
}
