/** Whether a name is a long option cut short, as most programs take it. */
export function isShortFor(name: string, option: string): boolean {
  return name.length > 4 && name.startsWith("--") && option.startsWith(name);
}
