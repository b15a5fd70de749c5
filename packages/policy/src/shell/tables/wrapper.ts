import type { OptionShape } from "../options.js";

/** A program that starts another, named in its own words. */
export interface Wrapper extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /** `opaque`: what it starts is shown to deny and ask rules, but cannot be trusted to be all */
  readonly wrapping: "transparent" | "outer" | "opaque";
  /** letters of short options without a value; with any other, what it starts cannot be told */
  readonly flags?: string;
  /** long options without a value, or whose value is always joined by `=` */
  readonly longFlags?: readonly string[];
  /** options with which it starts nothing */
  readonly stops?: readonly string[];
  /** options with which it runs what it reads, where no program is named */
  readonly reads?: readonly string[];
  /** how many operands come before the program */
  readonly operands?: number;
  /** whether `NAME=value` may come before the program */
  readonly assigns?: boolean;
  /** a shell reads the rest, joined by spaces */
  readonly joined?: boolean;
  /** options whose value a shell reads */
  readonly scripts?: readonly string[];
  /** the program gets further operands that the text does not show */
  readonly appends?: boolean;
}
