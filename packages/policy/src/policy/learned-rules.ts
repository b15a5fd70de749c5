import type { Awaitable, OnReport, PermissionStore, Rule } from "@x/permission-core";
import { continueWith } from "./continue-with.js";

/** More sessions than these are not known by their lists; the oldest is read anew. */
const MOST_SESSIONS = 1000;

/** What a rule decides and what a record says of it. */
const FIELDS = ["tool", "pattern", "effect", "scope", "exact", "audience", "id", "reason"] as const;

/**
 * What sessions learned, from a store that gives a new list each time: as long as it says the same, the list stays the same,
 * so that it is made ready once. A store that fails has nothing, which only means more questions.
 */
export class LearnedRules {
  readonly #store: PermissionStore;
  readonly #onReport: OnReport;
  readonly #latest = new Map<string, readonly Rule[]>();

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

  #keep(sessionId: string, rules: readonly Rule[]): readonly Rule[] {
    const latest = this.#latest.get(sessionId);
    if (latest !== undefined && isSame(latest, rules)) return latest;
    this.#latest.delete(sessionId);
    this.#latest.set(sessionId, rules);
    const [oldest] = this.#latest.keys();
    if (this.#latest.size > MOST_SESSIONS && oldest !== undefined) this.#latest.delete(oldest);
    return rules;
  }
}

function isSame(one: readonly Rule[], other: readonly Rule[]): boolean {
  return one.length === other.length && one.every((rule, index) => isSameRule(rule, other[index]));
}

function isSameRule(one: Rule, other: Rule | undefined): boolean {
  return other !== undefined && FIELDS.every((field) => one[field] === other[field]);
}
