import {
  type Audience,
  displaySafe,
  type Rule,
  type RuleEffect,
  type RuleProblem,
  type RuleSet,
} from "@x/permission-core";
import { notePlace } from "../../policy/rule-place.js";
import type { ConfigEntry, ConfigNode } from "../syntax/config-node.js";
import type { ConfigSource } from "./config-source.js";
import type { ReadEntry } from "./read-entry.js";
import { toolInText } from "./tool-in-text.js";

/** Rules in one file; denies are counted first, then asks. */
const MAX_RULES = 1024;
/** Problems of one file that are told one by one. */
const MAX_PROBLEMS = 100;
const NO_TOOLS: ReadonlySet<string> = new Set();
const EFFECTS: readonly RuleEffect[] = ["deny", "ask", "allow"];

/** Gathers what one file says, and what is wrong with it. */
export class RuleCollector {
  readonly #source: ConfigSource;
  readonly #rules: Rule[] = [];
  /** the entries that rules come from */
  readonly #nodes = new Map<Rule, ConfigNode>();
  readonly #problems: RuleProblem[] = [];
  /** problems that concern the whole file: told first */
  readonly #refusals: RuleProblem[] = [];
  #failClosed: string | null = null;

  constructor(source: ConfigSource) {
    this.#source = source;
  }

  /**
   * Adds the rules of one entry. A bad allow is reported and left out. What can be read of a bad deny or ask stays in
   * force; where nothing can, its tool asks until it is mended, and every tool where that cannot be told.
   */
  add(node: ConfigNode, entry: ReadEntry, effect: RuleEffect, audience: Audience): void {
    const { scope, file, places, knownTools = NO_TOOLS } = this.#source;
    const { targets, problem } = entry;
    const { line, column } = places.at(node.offset);
    const origin = { file, line };
    notePlace(origin, { column, knownTools });
    const shared = { scope, audience, origin };
    if (problem !== null && effect === "allow") {
      this.report(node, `${problem}. It allows nothing.`);
      return;
    }
    for (const target of targets) this.#push(node, { ...shared, ...target, effect, ...entry.shown });
    if (problem === null) return;
    if (targets.length > 0) {
      this.report(node, `${problem}. It is in force all the same.`);
      return;
    }
    // YAML reads `Shell(git commit: x)` as an object: its tool can still be told.
    const written = node.type === "map" ? places.firstLine(node.offset, node.end) : "";
    const tool = toolInText(entry.text ?? written) ?? "";
    this.report(node, `${problem}. Until then ${tool === "" ? "every tool" : tool} asks.`);
    const reason = `a bad ${effect} rule in ${file}:${line}: ${this.#textOf(node)}`;
    this.#push(node, { ...shared, tool, pattern: "", effect: "ask", reason });
  }

  #push(node: ConfigNode, rule: Rule): void {
    this.#rules.push(rule);
    this.#nodes.set(rule, node);
  }

  /** Tells of something that leaves the file's other rules in force. */
  report(node: ConfigNode | ConfigEntry, message: string): void {
    this.#problems.push(this.#problemAt(node, message));
  }

  /** Tells of something after which the file cannot be trusted: everything asks. */
  refuse(node: ConfigNode | ConfigEntry, message: string): void {
    const problem = this.#problemAt(node, `${message}. Until then everything asks.`);
    this.#failClosed ??= `${problem.file}:${problem.line}:${problem.column} ${shown(message)}`;
    this.#refusals.push(problem);
  }

  /** Likewise of the file as a whole. */
  refuseFile(message: string): void {
    const { file } = this.#source;
    this.#failClosed ??= `${file} ${shown(message)}`;
    this.#refusals.push({ file, text: "", message: `${shown(message)}. Until then everything asks.` });
  }

  /** The file's rules, denies first, then asks, each in their order. */
  finish(): RuleSet {
    const sorted = EFFECTS.flatMap((effect) => this.#rules.filter((rule) => rule.effect === effect));
    const first = sorted[MAX_RULES];
    if (first !== undefined) this.#refuseRest(first, sorted.length);
    const problems = [...this.#refusals, ...this.#problems];
    const told = problems.slice(0, MAX_PROBLEMS);
    if (problems.length > told.length) {
      const message = `has ${problems.length - told.length} more problems, not told here: mend these first`;
      told.push({ file: this.#source.file, text: "", message });
    }
    return { rules: sorted.slice(0, MAX_RULES), problems: told, failClosed: this.#failClosed };
  }

  /** Allows beyond the limit are left out; where denies or asks are, the file cannot be trusted. */
  #refuseRest(first: Rule, count: number): void {
    const message = `holds ${count} rules and only ${MAX_RULES} are read: split the file or use wider patterns`;
    const node = this.#nodes.get(first);
    if (node === undefined) this.refuseFile(message);
    else if (first.effect !== "allow") this.refuse(node, message);
    else this.#refusals.push(this.#problemAt(node, `${message}. From here on its allows are left out.`));
  }

  #problemAt(node: ConfigNode | ConfigEntry, message: string): RuleProblem {
    const { file, places } = this.#source;
    return { file, ...places.at(node.offset), text: this.#textOf(node), message: shown(message) };
  }

  /** Of an entry under a key the key alone: what stands there may be a secret. */
  #textOf(node: ConfigNode | ConfigEntry): string {
    const { places, isQuotable } = this.#source;
    if (!isQuotable) return "";
    return shown("key" in node ? node.key : places.firstLine(node.offset, node.end));
  }
}

/** Files may come from anybody: nothing in them reaches a terminal as it is. */
function shown(text: string): string {
  return displaySafe(text, { maxLength: 300 }).text;
}
