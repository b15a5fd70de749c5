import { canonicalJson } from "@x/permission-core";

/**
 * Throws unless both have one canonical text. `undefined` members count as absent, the order of an object's keys does not
 * count.
 */
export function requireSame(actual: unknown, expected: unknown, what: string): void {
  const actualText = canonicalJson(actual);
  const expectedText = canonicalJson(expected);
  if (actualText === expectedText) return;
  throw new Error(`${what}\n  expected: ${expectedText}\n  actual:   ${actualText}`);
}
