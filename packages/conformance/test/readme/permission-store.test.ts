import { permissionStoreSuite } from "@x/conformance";
import { canonicalJson, type PermissionStore, parseRule, type Rule } from "@x/permission-core";
import { it } from "vitest";

class SessionRules implements PermissionStore {
  readonly #sessions = new Map<string, Map<string, string>>();

  record(sessionId: string, rule: Rule): void {
    const texts = this.#sessions.get(sessionId) ?? new Map<string, string>();
    const key = canonicalJson(rule);
    if (texts.size < 256 && !texts.has(key)) texts.set(key, JSON.stringify(rule));
    this.#sessions.set(sessionId, texts);
  }

  rules(sessionId: string): Rule[] {
    const texts = this.#sessions.get(sessionId)?.values() ?? [];
    return Array.from(texts, (text) => parseRule(JSON.parse(text)));
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
}

permissionStoreSuite({ it, create: () => new SessionRules(), mostRules: 256 });
