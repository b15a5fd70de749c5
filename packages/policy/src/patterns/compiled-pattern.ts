/** A pattern, ready to be compared with many texts. */
export interface CompiledPattern {
  /** every text that matches begins with it (after case or Unicode folding, where the pattern folds); empty: any may */
  readonly literalPrefix: string;
  /** Anchored, by code point, in time linear in the text for a given pattern. */
  matches(text: string): boolean;
}
