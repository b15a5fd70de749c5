/** Words that stand for one another, so that a changed answer is still a possible one. */
const COUNTERPARTS: ReadonlyMap<string, string> = new Map([
  ["allow", "deny"],
  ["deny", "allow"],
  ["ask", "allow"],
  ["allow_modified", "allow"],
  ["ask_allowed", "allow"],
  ["ask_denied", "ask_unresolved"],
  ["ask_unresolved", "ask_denied"],
  ["ask_expired", "cancelled"],
  ["cancelled", "ask_expired"],
  ["middleware", "engine"],
  ["context", "middleware"],
  ["ask_resolver", "engine"],
  ["engine", "middleware"],
  ["Allow", "Deny"],
  ["Deny", "Allow"],
  ["Approve", "Deny"],
  ["expired", "Approve"],
  ["first", "second"],
  ["second", "first"],
  ["zero", "measured"],
  ["measured", "zero"],
  ["continues", "ends with Cancelled"],
  ["ends with Cancelled", "continues"],
  ["A", "B"],
  ["B", "A"],
]);

/** A value that differs from `leaf`, of the same kind where there is one. */
export function changedLeaf(leaf: string | number | boolean | null): unknown {
  if (leaf === null) return "changed";
  if (typeof leaf === "boolean") return !leaf;
  if (typeof leaf === "number") return leaf + 1;
  if (/^[0-9a-f]{16}$/.test(leaf)) return flippedDigits(leaf);
  return COUNTERPARTS.get(leaf) ?? `${leaf} (changed)`;
}

/** Every hex digit becomes its complement. */
function flippedDigits(hex: string): string {
  return Array.from(hex, (digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join("");
}
