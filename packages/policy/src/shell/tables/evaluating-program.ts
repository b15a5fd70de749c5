import type { OptionShape } from "../options.js";

/** A program or builtin that runs text it is given, so that its words do not show what happens. */
export interface EvaluatingProgram extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /** whatever its words are */
  readonly always?: boolean;
  /** letters of short options with which it runs text or programs */
  readonly letters?: string;
  /** letters of short options without a value, beside which nothing is known of what an option takes */
  readonly flags?: string;
  /** long options without a value, in the same sense; none of these is short for another */
  readonly longFlags?: readonly string[];
  /** long options with which it does, dashes included; any abbreviation counts */
  readonly long?: readonly string[];
  /** options after which the words of a program stand, up to a `;`; letters may be bundled before one of a single dash */
  readonly starts?: readonly string[];
  /** what a word before `--` matches with which it runs something */
  readonly words?: RegExp;
  /** without an operand, or with `-` as the first, it runs what it reads from its input */
  readonly input?: boolean;
  /** an option that may come before none of those: what follows is another program's (`python -m`) */
  readonly until?: string;
  /** values of that option with which the rest is code after all */
  readonly untilUnless?: readonly string[];
  /** its first operand may be a bundle of letters without a dash */
  readonly bundled?: boolean;
  /** a word that may be anything could be such an option */
  readonly unsure?: boolean;
  /** an operand that begins with `+` is a command of its own */
  readonly plus?: boolean;
  /** which of its words a shell reads: all joined by spaces, the first, what follows `=` in each, or the one after -c */
  readonly payload?: "joined" | "first" | "assigned" | "script";
  /** what it starts by name is none of our concern here, and it is not known to run none of its operands */
  readonly runsOperands?: boolean;
}
