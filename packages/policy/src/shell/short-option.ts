/** Whether a name is a long option cut short, as most programs take it. */
export function isShortFor(name: string, option: string): boolean {
  return name.length > 2 && name.startsWith("--") && option.startsWith(name);
}
