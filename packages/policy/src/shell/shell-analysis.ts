/** How a shell reads its text. `posix` reads only what dash and bash read alike; every other shell is opaque. */
export type ShellDialect = "posix" | "bash" | "zsh" | "fish" | "powershell" | "cmd";

/** What a word still becomes when the shell runs it. */
export type WordExpansion = "parameter" | "glob" | "tilde" | "brace" | "arithmetic" | "substitution";

/** One word of a command. */
export interface ShellWord {
  /** as written, quotes kept */
  readonly source: string;
  /** quotes and escapes undone; null where only running it would tell */
  readonly value: string | null;
  /** empty where `value` is all there is to it */
  readonly expansions: readonly WordExpansion[];
}

/** A variable that is set, before a command or without one: `NAME=value`. */
export interface ShellAssignment {
  readonly name: string;
  /** as written */
  readonly source: string;
}

/** A file that a command reads, writes or removes, as far as its text tells. */
export interface ShellTarget {
  readonly operation: "read" | "write" | "remove";
  readonly word: ShellWord;
  /** the path with quotes undone; null where it cannot be told */
  readonly path: string | null;
  /** what `path` is relative to: empty for where the line starts, else where `cd` led; null where that cannot be told */
  readonly folder: string | null;
  readonly by: "redirect" | "program";
  /** a folder is meant with all that is in it; default false */
  readonly whole?: true;
}

/** One simple command, at whatever depth, or an assignment or redirect without one. */
export interface ShellPart {
  /**
   * Its words as written, assignments first, joined by single spaces, without redirects. Empty where there are none: the
   * redirects of a group, or the substitutions in the words of a loop. Such a part runs nothing itself and needs no allow
   * of its own; its targets and what it holds are judged all the same.
   */
  readonly text: string;
  readonly assignments: readonly ShellAssignment[];
  /** the program and its arguments; empty where there is none */
  readonly argv: readonly ShellWord[];
  /** the program as it is called, quotes undone; null where there is none or it cannot be told */
  readonly program: string | null;
  /**
   * Every text under which a deny or ask rule may know this part: as written, quotes undone, without assignments, the program
   * by its name alone, and combinations. The first is `text`. No duplicates.
   */
  readonly forms: readonly string[];
  /** index of the part that starts this one, as `sudo` does; null: the shell does */
  readonly startedBy: number | null;
  /**
   * Whether it starts other parts. `transparent`: it is judged by them alone (`timeout 5 …`); `outer`: it needs an
   * allow as well as they do (`sudo …`).
   */
  readonly wrapping: "none" | "transparent" | "outer";
  /** index of the part in whose words or redirects this one's substitution stands; null: in none */
  readonly heldBy: number | null;
  /** holds a command or process substitution in its words, assignments or redirects */
  readonly substitutes: boolean;
  /** stands in a group or subshell */
  readonly grouped: boolean;
  readonly background: boolean;
  readonly targets: readonly ShellTarget[];
  /** a redirect of its own gives it input that `text` does not show: a heredoc, a here-string, or a file but `/dev/null` */
  readonly redirectsInput: boolean;
  /** why this part can run what its text does not show; null: it cannot */
  readonly opaque: string | null;
  /** changes nothing and starts nothing that the read-only table does not know */
  readonly readOnly: boolean;
  /** whether its program stands in one of our tables, and runs no file that it is given */
  readonly known: boolean;
  /** whether it stays in an isolated workspace: no remote, no other repository, no build hook */
  readonly isolated: boolean;
}

/** What the text of a shell call shows. */
export interface ShellAnalysis {
  readonly dialect: ShellDialect;
  /** why the text cannot be trusted to show all that it runs; null: it can. An opaque line is never allowed. */
  readonly opaque: string | null;
  /** in the order of the text; of an opaque line, whatever is still visible */
  readonly parts: readonly ShellPart[];
  /** see `isReadOnlyShell` */
  readonly readOnly: boolean;
  /** one simple command, without substitution, group, background, opacity, or a redirect that writes or gives input */
  readonly simple: boolean;
}
