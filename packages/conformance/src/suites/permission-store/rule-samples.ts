import type { PermissionStore, Rule } from "@x/permission-core";

/** Tests by title, each on a fresh and empty store. */
export type PermissionStoreTests = Readonly<Record<string, (store: PermissionStore) => Promise<void>>>;

/** What is learned from an approval: an exact allow at user scope. */
export function learnedRule(tool: string, pattern: string, fields: Partial<Rule> = {}): Rule {
  return { scope: "user", tool, pattern, effect: "allow", exact: true, ...fields };
}

/** Rules in the order of neither their tools nor their patterns. */
export function learnedRules(count: number): Rule[] {
  return Array.from({ length: count }, (_, index) =>
    learnedRule("Shell", `run ${(index * 7) % 10}-${index}`),
  );
}

export async function record(
  store: PermissionStore,
  sessionId: string,
  rules: readonly Rule[],
): Promise<void> {
  for (const rule of rules) await store.record(sessionId, rule);
}
