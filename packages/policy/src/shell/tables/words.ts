/** The words of a table's list. */
export function words(text: string): readonly string[] {
  return text.split(" ");
}

/** What becomes of the files that those options name. */
export function filesOf(
  operation: "read" | "write",
  options: readonly string[],
): Readonly<Record<string, "read" | "write">> {
  return Object.fromEntries(options.map((option) => [option, operation]));
}
