/** The words of a table's list. */
export function words(text: string): readonly string[] {
  return text.split(" ");
}

/** Options that a program takes with one dash or two. */
export function bothDashes(text: string): readonly string[] {
  return words(text).flatMap((name) => [`-${name}`, `--${name}`]);
}

/** What becomes of the files that those options name. */
export function filesOf(
  operation: "read" | "write",
  options: readonly string[],
): Readonly<Record<string, "read" | "write">> {
  return Object.fromEntries(options.map((option) => [option, operation]));
}
