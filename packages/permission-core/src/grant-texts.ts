import type { Grant, GrantStore } from "./grant.js";

/**
 * What a store can do beyond {@link GrantStore} that keeps every entry as its text, byte for byte, with fields that are
 * not known here and numbers that JavaScript cannot spell. `copyGrants` uses it where both stores have it.
 */
export interface GrantTexts {
  /**
   * The text of every entry in insertion order, also of one that is no grant. Rejects with code `ledger_damaged` where the
   * entries cannot be told apart, and with `storage` where they cannot be read.
   */
  loadTexts(): Promise<string[]>;
  /**
   * Saves the grant that `text` says, and keeps the text: what `save` does with a text of its own making. Gives the grant.
   * Rejects with code `bad_json`, `bad_record` or `not_json` what is no grant, and half a character, which has no bytes.
   * One whose arguments hold numbers that JavaScript spells differently is kept, covers no call and is reported.
   */
  saveText(text: string): Promise<Grant>;
}

/** Whether a store keeps the texts of its entries. */
export function keepsTexts<Store extends GrantStore>(store: Store): store is Store & GrantTexts {
  const { loadTexts, saveText } = store as Partial<GrantTexts>;
  return typeof loadTexts === "function" && typeof saveText === "function";
}
