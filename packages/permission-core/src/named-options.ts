/**
 * A copy of the options of these names, each read once. What spreads an object into a copy leaves out accessors of its class and
 * all else that it inherits; an option that was lost counts as left out, and one that protects then protects nobody. Names that
 * `options` does not have are left out of the copy too.
 */
export function namedOptions<Options extends object, Name extends keyof Options & string>(
  options: Options,
  names: Readonly<Record<Name, true>>,
): Pick<Options, Name> {
  const copy: Partial<Pick<Options, Name>> = {};
  for (const name of Object.keys(names) as Name[]) {
    const value = options[name];
    if (value !== undefined || name in options) copy[name] = value;
  }
  return copy as Pick<Options, Name>;
}
