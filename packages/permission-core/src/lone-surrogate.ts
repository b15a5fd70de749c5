const LONE_SURROGATE = /\p{Surrogate}/u;

/** Not declared before ES2024, and absent from hosts of before. */
const { isWellFormed } = String.prototype as { isWellFormed?: (this: string) => boolean };

/** Whether a surrogate stands in `text` without its other half. */
export const hasLoneSurrogate: (text: string) => boolean =
  isWellFormed === undefined ? (text) => LONE_SURROGATE.test(text) : (text) => !isWellFormed.call(text);
