/** Whether a whole text matches. */
export interface TextMatcher {
  matches(text: string): boolean;
}
