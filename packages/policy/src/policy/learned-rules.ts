import type { Awaitable, OnReport, PermissionStore, Rule } from "@x/permission-core";
import { continueWith } from "./continue-with.js";

/** More sessions than these are not known by their lists; the oldest is read anew. */
const MOST_SESSIONS = 1000;

/** What a rule decides and what a record says of it. */
const FIELDS = ["tool", "pattern", "effect", "scope", "exact", "audience", "id", "reason"] as const;

const AUDIENCES: readonly unknown[] = ["all", "main", "subagent"];

/** What a store gave last. */
interface Learned {
  readonly rules: readonly Rule[];
  /** how many of its entries do not count */
  readonly dropped: number;
}

/**
 * What sessions learned, from a store that gives a new list each time: as long as it says the same, the list stays the same,
 * so that it is made ready once. Of what a store gives, only exact allows of one tool and one text hold, since nothing else is
 * ever learned. A store that fails has nothing, which only means more questions.
 */
export class LearnedRules {
  readonly #store: PermissionStore;
  readonly #onReport: OnReport;
  readonly #latest = new Map<string, Learned>();

  constructor(store: PermissionStore, onReport: OnReport) {
    this.#store = store;
    this.#onReport = onReport;
  }

  of(sessionId: string): Awaitable<readonly Rule[]> {
    const failed = (cause: unknown): Rule[] => {
      this.#onReport({
        level: "error",
        message: "The rules that a session learned could not be had.",
        cause,
      });
      return [];
    };
    try {
      return continueWith(this.#store.rules(sessionId), (rules) => this.#keep(sessionId, rules), failed);
    } catch (error) {
      return failed(error);
    }
  }

  record(sessionId: string, rule: Rule): Awaitable<void> {
    return this.#store.record(sessionId, rule);
  }

  #keep(sessionId: string, given: unknown): readonly Rule[] {
    const latest = this.#latest.get(sessionId);
    const list: readonly unknown[] = Array.isArray(given) ? given : [given];
    const rules = list.filter(isLearnable);
    const dropped = list.length - rules.length;
    if (latest !== undefined && latest.dropped === dropped && isSame(latest.rules, rules))
      return latest.rules;
    if (dropped > 0) this.#onReport({ level: "warn", message: notHonoured(dropped) });
    this.#latest.delete(sessionId);
    this.#latest.set(sessionId, { rules, dropped });
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MOST_SESSIONS && oldest !== undefined) this.#latest.delete(oldest);
    return rules;
  }
}

function notHonoured(count: number): string {
  return `A store gave ${count} learned rules that are no exact allow; they do not count.`;
}

/** Whatever else a store has been made to hold would allow more than a person ever answered. */
function isLearnable(value: unknown): value is Rule {
  if (typeof value !== "object" || value === null) return false;
  const { scope, tool, pattern, effect, exact, audience }: { readonly [Key in keyof Rule]?: unknown } = value;
  if (effect !== "allow" || exact !== true || scope !== "user") return false;
  if (typeof pattern !== "string" || pattern === "") return false;
  if (typeof tool !== "string" || tool === "") return false;
  return audience === undefined || AUDIENCES.includes(audience);
}

function isSame(one: readonly Rule[], other: readonly Rule[]): boolean {
  return one.length === other.length && one.every((rule, index) => isSameRule(rule, other[index]));
}

function isSameRule(one: Rule, other: Rule | undefined): boolean {
  return other !== undefined && FIELDS.every((field) => one[field] === other[field]);
}
