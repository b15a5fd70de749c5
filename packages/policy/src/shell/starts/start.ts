import type { ReadWord } from "../read-word.js";
import { COMPILERS, LINKERS } from "../tables/compilers.js";

/** A text that a started shell reads. */
export interface StartedScript {
  readonly text: string;
  /** nothing may be read in it that dash reads otherwise */
  readonly posix: boolean;
}

/** What a command starts beside itself. */
export interface Start {
  readonly wrapping: "none" | "transparent" | "outer";
  /** why its words do not show all that it runs; null: they do */
  readonly opaque: string | null;
  /** the words of the programs it starts, each a command of its own */
  readonly commands: readonly (readonly ReadWord[])[];
  readonly scripts: readonly StartedScript[];
  /** where it starts them, relative to its own folder; null: cannot be told; left out: where it is itself */
  readonly folder?: string | null;
}

const NONE: readonly never[] = [];

export function opaqueStart(why: string, scripts: readonly StartedScript[] = NONE): Start {
  return { wrapping: "none", opaque: why, commands: NONE, scripts };
}

/**
 * Whether a path may lead to what a program gets as its input, or to what is open already: `-`, and whatever ends as
 * the names under `/dev` and `/proc` do. Dots and doubled slashes hide nothing.
 */
export function isOpenAlready(path: string): boolean {
  if (path === "-") return true;
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const isRooted = path.startsWith("/") || path.split("/").includes("..");
  if (isRooted && (names[0] === "dev" || names[0] === "proc")) return true;
  return /^(?:stdin|tty|\d+)$/.test(names.at(-1) ?? "") || names.at(-2) === "fd";
}

/** Words joined as a program does that hands them to a shell. */
export function joinedScript(words: readonly ReadWord[]): StartedScript[] {
  return words.length === 0 ? [] : [{ text: words.map((word) => word.loose).join(" "), posix: true }];
}

/** Whether the text of all these words is known. */
export function allKnown(words: readonly ReadWord[]): boolean {
  return words.every((word) => word.value !== null);
}

/**
 * The name under which tables know a program: without its folders, a version or a system at its end, and the system that
 * it makes programs for before it; in small letters, since some file systems tell no case apart.
 */
export function tableName(program: string): string {
  if (program !== lastProgram) {
    lastName = nameOf(program);
    lastProgram = program;
  }
  return lastName;
}

/** The last one: all that is asked of a command asks for the name of its program. */
let lastProgram = "";
let lastName = "";

function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf("/") + 1).toLowerCase();
  if (name.length > LONGEST_NAME || !MAY_CUT.test(name)) return name;
  return name.replace(DEBIAN, "").replace(TARGET, "").replace(VERSION, "$1");
}

/** No file has a longer name. */
const LONGEST_NAME = 255;
/** Most names have none of these. */
const MAY_CUT = /[\d.-]/;
/** Programs that make programs, and tools for what they make. */
const MAKERS = anyOf([...COMPILERS, "cpp"]);
const TOOLS = `${MAKERS}|${anyOf(LINKERS)}|as|ar|nm|ranlib|strip|objcopy|objdump|elfedit|readelf|size|strings|addr2line`;
const ENDING = "[\\d.]*(?:-(?:[\\d.]+|posix|win32))*";
/** `x86_64-linux-gnu-gcc`, `riscv64-strip`, `gcc-ar`, `llvm-strip`, `wasm-ld`; before a compiler, any word: `musl-gcc` */
const TARGET = new RegExp(
  `^(?:[\\w.]+(?:-[\\w.]+)+|gcc|llvm|avr|musl|wasm|c[89]9|[a-z_]+\\d\\w*)-(?=(?:${TOOLS})${ENDING}$)|^[\\w.]+-(?=(?:${MAKERS})${ENDING}$)`,
);
/** `perl5.36-x86_64-linux-gnu`, `vim.basic` */
const DEBIAN = /-(?:[\w-]+-linux-gnu\w*)$|\.(?:basic|tiny|nox|gtk3?|athena|default|traditional|openbsd)$/;
const VERSION = new RegExp(
  `^(python|ruby|perl|node|php|lua|tclsh|bash|gawk|awk|openssl|go|rustc|${TOOLS})(?=[\\d.-])${ENDING}$`,
);

function anyOf(names: readonly string[]): string {
  return names.join("|").replace(/[+.]/g, "\\$&");
}
