/** Text that is no configuration. `message` says what is wrong with it and what to do. */
export class ConfigSyntaxError extends Error {
  override readonly name = "ConfigSyntaxError";
  /** where, in UTF-16 units */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/** Lists and objects inside one another beyond this are refused: settings need five. */
export const MAX_DEPTH = 64;

export function tooDeep(offset: number): ConfigSyntaxError {
  return new ConfigSyntaxError(`is nested more than ${MAX_DEPTH} deep: write it flatter`, offset);
}
