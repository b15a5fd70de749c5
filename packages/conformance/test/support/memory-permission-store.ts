import { canonicalJson, type PermissionStore, parseRule, type Rule } from "@x/permission-core";

/** The plainest store that keeps the contract: up to 256 rules for each session. */
export class MemoryRules implements PermissionStore {
  protected readonly sessions = new Map<string, Map<string, Rule>>();

  async record(sessionId: string, rule: Rule): Promise<void> {
    const kept = this.sessions.get(sessionId) ?? new Map<string, Rule>();
    this.sessions.set(sessionId, kept);
    const text = canonicalJson(rule);
    if (!kept.has(text) && kept.size < 256) kept.set(text, parseRule(rule));
  }

  async rules(sessionId: string): Promise<Rule[]> {
    return Array.from(this.sessions.get(sessionId)?.values() ?? [], parseRule);
  }

  async forget(sessionId: string): Promise<void> {
    this.sessions.delete(sessionId);
  }
}
