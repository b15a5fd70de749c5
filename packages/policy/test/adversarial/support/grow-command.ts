import type { SeededRandom } from "./seeded-random.js";

/** What would run the program if its quoting were read otherwise than it was meant. */
const PAYLOADS: readonly string[] = [
  "$(canary)",
  "`canary`",
  ";canary;",
  "\ncanary\n",
  "&canary&",
  "a[$(canary)]",
  "<(canary)",
  '"$(canary)"',
  "canary",
  ")canary",
  "}`canary`",
];
const POSIX_OPERATORS: readonly string[] = "- = + ? # % :- := :+ :? ## %%".split(" ");
const OPERATORS: readonly string[] = [...POSIX_OPERATORS, "^", ",", ":", "//", "/"];
const GROUPS: readonly string[] = ["{ ◆\n}", "( ◆ )", "if true; then ◆\nfi", "while true; do ◆\nbreak; done"];
const PLAIN: readonly string[] = [
  "a",
  "x",
  "-n",
  "1",
  "a=b",
  "é",
  "*",
  "?",
  "[a]",
  "~",
  "#",
  "%",
  "{a,b}",
  "\\\n",
];
const VARIABLES: readonly string[] = ["x", "y", "HOME", "1", "@", "#", "?", "a[0]"];

/**
 * Grows a command whose words nest quotes, expansions and substitutions in each other, and in which `canary` stands only
 * where it should be text.
 */
export class CommandGrower {
  private readonly random: SeededRandom;
  private readonly posix: boolean;

  /** `posix`: nothing but what every POSIX shell knows. */
  constructor(random: SeededRandom, options: { readonly posix: boolean }) {
    this.random = random;
    this.posix = options.posix;
  }

  command(depth: number): string {
    if (depth <= 0) return `echo ${this.word(0)}`;
    const part = () => this.command(depth - 1);
    switch (this.random.below(this.posix ? 10 : 13)) {
      case 0:
        return `${part()}${this.random.pick(["; ", " && ", " || ", "\n", " | ", " & "])}${part()}`;
      case 1:
        return this.random.pick(GROUPS).replace("◆", part);
      case 2:
        return `for x in ${this.words(depth)}; do ${part()}\ndone`;
      case 3:
        return `case ${this.word(depth)} in ${this.word(depth - 1)}) ${part()}\n;; *) true;; esac`;
      case 4:
        return `x=${this.word(depth)}${this.random.pick(["; ", " ", "\n"])}${part()}`;
      case 5:
        return this.heredoc(depth);
      case 6:
        return `${this.simple(depth)} # ${this.random.pick(PAYLOADS).replaceAll("\n", " ")}\n${part()}`;
      case 10:
        return `[[ ${this.word(depth)} ${this.random.pick(["==", "!=", "=~", "<"])} ${this.word(depth)} ]]`;
      case 11:
        return `a=(${this.words(depth)})`;
      case 12:
        return `cat <<< ${this.word(depth)}`;
      default:
        return this.simple(depth);
    }
  }

  private simple(depth: number): string {
    const program = this.random.pick(["echo", "cat", "ls", "printf", "grep", "git status", "true", "echo"]);
    const ending = this.random.pick(["", "", "", " 2>&1", " >/dev/null", " </dev/null", " >&2"]);
    return `${program} ${this.words(depth)}${ending}`;
  }

  private heredoc(depth: number): string {
    if (this.random.chance(40))
      return `cat <<${this.random.pick(["'E'", '"E"', "\\E"])}\n${this.random.pick(PAYLOADS)}\nE`;
    if (this.random.chance(30)) return this.heredocPair(depth);
    return `cat <<E ${this.random.pick(["", "| cat", "&& true"])}\n${this.inQuotes(depth)}\n${this.inQuotes(depth)}\nE`;
  }

  /** What the first may leave open, a shell may look for in the second. */
  private heredocPair(depth: number): string {
    const opening = this.random.pick(["", "", "$(", "`", "${x:-", "$((", '"$(', "'", "$(echo #"]);
    const second = this.random.pick(["F", "F", "'F'"]);
    const between = this.random.pick([" ", "; cat ", " | cat - "]);
    const closing = this.random.pick(["", ")", "`", "}", "))", '")']);
    const payload = this.random.pick(PAYLOADS);
    return `cat - <<E${between}<<${second}\n${opening}${this.inQuotes(depth)}\nE\n${payload}\n${closing}\nE\nF`;
  }

  private words(depth: number): string {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.word(depth)).join(" ");
  }

  private word(depth: number): string {
    return Array.from({ length: 1 + this.random.below(3) }, () => this.segment(depth)).join("");
  }

  private segment(depth: number): string {
    const payload = this.random.pick(PAYLOADS);
    switch (this.random.below(depth > 0 ? 12 : 5)) {
      case 0:
        return this.random.pick(PLAIN);
      case 1:
        return `'${payload}'`;
      case 2:
        return this.posix ? `'${payload}'` : `$'${payload}'`;
      case 3:
        return payload.replaceAll(/[^a-z\n]/g, "\\$&").replaceAll("\n", "");
      case 4:
        return "$x";
      case 5:
      case 6:
        return `"${this.inQuotes(depth - 1)}"`;
      case 7:
      case 8:
        return this.expansion(() => this.word(depth - 1));
      case 9:
        return this.substitution(depth);
      case 10:
        return `{${this.word(depth - 1)},${this.word(depth - 1)}}`;
      default:
        return this.random.pick(["$((1))", "$((1 + 2))", "$#", "$'\\''", '""', "''"]);
    }
  }

  /** The inside of double quotes, or of a heredoc. */
  private inQuotes(depth: number): string {
    const pieces = Array.from({ length: 1 + this.random.below(3) }, () => this.quotedSegment(depth));
    return pieces.join(this.random.pick(["", " "]));
  }

  private quotedSegment(depth: number): string {
    const payload = this.random.pick(PAYLOADS).replaceAll(/["$`]/g, "\\$&");
    switch (this.random.below(depth > 0 ? 8 : 4)) {
      case 0:
        return this.random.pick(["a", " ", "'", "#", "\\\\", "$", "\n", "é", "*"]);
      case 1:
        return payload;
      case 2:
        return `'${payload}'`;
      case 3:
        return this.random.pick(["$x", "$((1))", "$1"]);
      case 4:
      case 5:
        return this.substitution(depth);
      default:
        return this.expansion(() =>
          this.random.chance(50) ? this.inQuotes(depth - 1) : this.word(depth - 1),
        );
    }
  }

  private expansion(operand: () => string): string {
    const variable = this.random.pick(VARIABLES);
    const operator = this.random.pick(this.posix ? POSIX_OPERATORS : OPERATORS);
    return `\${${variable}${operator}${operand()}${operator.startsWith("/") ? `/${operand()}` : ""}}`;
  }

  private substitution(depth: number): string {
    const inner = this.command(depth - 1);
    const end = inner.includes("<<") || inner.includes("#") ? "\n" : "";
    if (this.random.chance(70)) return `$(${inner}${end})`;
    if (!this.posix && this.random.chance(20)) return ` <(${inner}${end}) `;
    return `\`${inner.replaceAll(/[\\$`]/g, "\\$&")}${end}\``;
  }
}
