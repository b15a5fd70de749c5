import type { OptionShape } from "../options.js";

/** A file whose name is a part of some text. */
export interface HeldFile {
  /** the options whose value is the text; the empty name stands for operands */
  readonly options: readonly string[];
  /** its first group is the file */
  readonly text: RegExp;
  readonly operation: "read" | "write";
}

/** A file that is looked for by name in folders. */
export interface SoughtFile {
  /** the options whose value holds the name */
  readonly options: readonly string[];
  /** its first group is the name */
  readonly text: RegExp;
  /** the options whose value is a folder; a `=` before it does not count */
  readonly folders: readonly string[];
  /** a name with which other folders lead anywhere: these are looked in as well */
  readonly anywhere?: RegExp;
}

/** A file that a program writes, or reads, where no option names it. */
export interface DefaultFile {
  /** only with one of these options, or as this subcommand */
  readonly with?: readonly string[];
  /** only with one of these options, long ones cut short included */
  readonly any?: readonly string[];
  /** only with an option that matches */
  readonly by?: RegExp;
  /** not with one of these options, long ones cut short included */
  readonly unless?: readonly string[];
  /** only where an operand matches */
  readonly operands?: RegExp;
  /** its name; left out, with `ending` and `beside`: which file it is cannot be told */
  readonly path?: string;
  /** it has the name of each operand with another ending, in the folder where the program runs */
  readonly ending?: string;
  /** it stands beside the file that one of these options names, with another ending; without `ending`, it is that file */
  readonly beside?: readonly string[];
  /** what becomes of it; default `write` */
  readonly operation?: "read";
}

/** What a program does to the files that its words name. */
export interface FileProgram extends OptionShape {
  readonly names: readonly string[];
  readonly why: string;
  /**
   * `destination`: the last is written, the others read, or removed where `moves`; `first`: all are read, and the first is
   * written; `rest`: the first is read, those after it are written; `here`: as `read`, and without any it reads the folder
   * it is in
   */
  readonly operands: "read" | "write" | "remove" | "destination" | "first" | "rest" | "here" | "none";
  /** how many operands come first that name no file */
  readonly skip?: number;
  /** options whose presence means that no operand has to be skipped (`grep -e`) */
  readonly unskip?: readonly string[];
  readonly moves?: boolean;
  /** an operand that stands alone is written */
  readonly alone?: boolean;
  /** its long options may not be cut short */
  readonly exact?: true;
  /** options whose value is a file, and what becomes of it */
  readonly files?: { readonly [option: string]: "read" | "write" | "remove" };
  /** what `=` joins to any other option of a whole word that is not in `longValues` may be a file that is read */
  readonly readsValues?: boolean;
  /** those of them for which `-` is the program's output */
  readonly outputs?: readonly string[];
  /** only with one of these */
  readonly shownWith?: readonly string[];
  /** options and operands part of whose text may name a file, as in `-d @file` */
  readonly held?: readonly HeldFile[];
  /** files that are looked for in folders which options name */
  readonly sought?: readonly SoughtFile[];
  /** with one of these, operands are only read, and no file is written that its words do not name (`gzip -c`) */
  readonly onlyReads?: readonly string[];
  /** with one of these, operands are written as well (`sed -i`) */
  readonly inPlace?: readonly string[];
  /** an option that names the folder in which all is written */
  readonly into?: readonly string[];
  /** it writes files that its words do not name */
  readonly writesUnnamed?: boolean;
  /** options with which it does */
  readonly writesWith?: readonly string[];
  /** an option, its value after `=` included, with which it does */
  readonly writingOption?: RegExp;
  /** files that it writes unless an option names others */
  readonly defaults?: readonly DefaultFile[];
  /** an option and its value, joined by `=` here, that names a file to write */
  readonly writingValue?: RegExp;
  /** what a word that is not known may be is judged elsewhere */
  readonly judged?: true;
  /** it reads folders whole with one of these, so that without operands it reads the one it is in */
  readonly recursive?: readonly string[];
}
