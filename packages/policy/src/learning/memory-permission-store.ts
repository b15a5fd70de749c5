import { canonicalJson, type PermissionStore, type Rule } from "@x/permission-core";

/** More rules than these a session does not learn. */
const MOST_RULES = 256;

/**
 * Learned rules for as long as the process lives. A session keeps 256; a rule that it knows already takes no room, and what
 * comes when it is full is dropped. Everything it takes or gives is a copy.
 */
export class MemoryPermissionStore implements PermissionStore {
  readonly #sessions = new Map<string, Map<string, Rule>>();

  record(sessionId: string, rule: Rule): void {
    const rules = this.#sessions.get(sessionId) ?? new Map<string, Rule>();
    const key = canonicalJson(rule);
    if (rules.size >= MOST_RULES || rules.has(key)) return;
    rules.set(key, structuredClone(rule));
    this.#sessions.set(sessionId, rules);
  }

  rules(sessionId: string): Rule[] {
    return Array.from(this.#sessions.get(sessionId)?.values() ?? [], (rule) => structuredClone(rule));
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}
