import type { ParsedScript } from "unbash";
import { parse } from "unbash";
import { folderAfter, movesFolder } from "./folder.js";
import { joinFolder } from "./join-folder.js";
import { Part, type PartPlace } from "./part.js";
import type { ReadWord } from "./read-word.js";
import type { Redirecting } from "./redirection.js";
import type { ShellAssignment } from "./shell-analysis.js";
import { type Start, type StartedScript, tableName } from "./starts/start.js";
import { startOf } from "./starts/start-of.js";
import { isStandardProgram } from "./tables/known-programs.js";
import type { ReadRedirect } from "./targets.js";
import { lineHazard } from "./unread-text.js";
import type { WordScope } from "./word-reading.js";

/** Substitutions, groups and scripts inside each other, beyond which nothing more is read. */
export const MAX_DEPTH = 32;
/** Words, redirects and statements of one line, beyond which it is opaque. */
const MAX_NODES = 2000;
/** Beyond this many, not even its parts are looked for. */
const MAX_VISIBLE_NODES = 10_000;

/** Where a node of the tree stands. */
export interface Place extends PartPlace, WordScope {
  readonly depth: number;
}

/** A command as it is read from the tree. */
export interface ReadCommand {
  readonly assignments: readonly ReadWord[];
  readonly words: readonly ReadWord[];
  readonly redirects: readonly Redirecting[];
}

const SHELLS: ReadonlySet<string> = new Set(["bash", "sh", "dash", "zsh", "ksh", "ash", "mksh"]);
const NO_ASSIGNMENTS: readonly ShellAssignment[] = [];
const NO_REDIRECTS: readonly ReadRedirect[] = [];

/** Gathers the parts of a line, with what each of them starts and holds. */
export class Line {
  readonly parts: Part[] = [];
  /** why the line cannot be trusted, beside what stands in its parts */
  opaque: string | null = null;
  /** where the next command runs */
  folder: string | null = "";
  /** a redirect gives output the number of something else that is open */
  swapsOutput = false;
  /** a redirect opens a file to be read */
  opensInput = false;
  private nodes = 0;

  /** @param walk goes through a script's statements */
  constructor(private readonly walk: (line: Line, script: ParsedScript, place: Place) => void) {}

  refuse(reason: string | null): void {
    this.opaque ??= reason;
  }

  /** Answers whether there is still room to look at one more node. */
  count(): boolean {
    this.nodes++;
    if (this.nodes > MAX_NODES) this.refuse("it is too long to be read whole");
    return this.nodes <= MAX_VISIBLE_NODES;
  }

  /** Reads what stands inside something else: a substitution, or a script that a part starts. */
  nested(script: ParsedScript, place: Place): void {
    if (place.depth > MAX_DEPTH) {
      this.refuse("it is nested too deep");
      return;
    }
    const { folder } = this;
    this.walk(this, script, place);
    this.folder = folder;
  }

  command({ assignments, words, redirects }: ReadCommand, place: Place): void {
    const index = this.parts.length;
    const part = new Part(
      assignments.length === 0 ? NO_ASSIGNMENTS : assignments.map(named),
      words,
      redirects.length === 0 ? NO_REDIRECTS : redirects.flatMap(({ file }) => (file === null ? [] : [file])),
      place,
      this.folder,
    );
    this.parts.push(part);
    let own = 0;
    for (const word of assignments) {
      part.opaque ??= word.hazard;
      own += word.scripts.length;
    }
    for (const redirect of redirects) {
      part.opaque ??= redirect.hazard;
      part.takesText ||= redirect.input !== null;
      this.swapsOutput ||= redirect.swaps === true;
      this.opensInput ||= redirect.file?.operator === "<";
      own += redirect.scripts.length;
    }
    let held = own;
    for (const word of words) {
      part.opaque ??= word.hazard;
      held += word.scripts.length;
    }
    part.substitutes = held > 0;
    const holders = held === 0 ? null : new Map<ParsedScript, number>();
    if (words.length > 0) {
      this.start(part, index, place, holders, true);
      if (own > 0 || assignments.length > 0) part.wrapping = part.wrapping === "none" ? "none" : "outer";
      this.feed(part, index, redirects, place);
    }
    if (holders === null) return;
    for (const { scripts } of [...assignments, ...redirects, ...words]) {
      for (const script of scripts) this.hold(script, holders.get(script) ?? index, place);
    }
  }

  private hold(script: ParsedScript, heldBy: number, place: Place): void {
    this.nested(script, { ...place, startedBy: null, heldBy, depth: place.depth + 1 });
  }

  /** Adds what a part starts, and what that starts in its turn. */
  private start(
    part: Part,
    index: number,
    place: Place,
    holders: Map<ParsedScript, number> | null,
    isDirect: boolean,
  ): void {
    const { program } = part;
    if (program === null) {
      part.opaque ??= "the name of its program is not known";
      return;
    }
    const name = tableName(program);
    if (movesFolder(name)) this.folder = isDirect ? folderAfter(part.argv, this.folder) : null;
    const start = startOf(name, part.argv);
    if (start === null) return;
    part.opaque ??= start.opaque;
    if (place.depth >= MAX_DEPTH) {
      this.refuse("it is nested too deep");
      return;
    }
    this.startAll(part, start, { ...place, startedBy: index, depth: place.depth + 1 }, holders);
    for (let at = index + 1; at < this.parts.length; at++) {
      const other = this.parts[at] as Part;
      if (other.startedBy === index) part.started.push(other);
    }
    if (part.started.length > 0) part.wrapping = wrappingOf(part, program, start);
  }

  private startAll(part: Part, start: Start, place: Place, holders: Map<ParsedScript, number> | null): void {
    const { folder } = this;
    if (start.folder !== undefined) {
      this.folder = start.folder === null ? null : joinFolder(folder, start.folder);
    }
    for (const words of start.commands) {
      if (!this.count()) return;
      const at = this.parts.length;
      const inner = new Part(NO_ASSIGNMENTS, words, NO_REDIRECTS, place, this.folder);
      this.parts.push(inner);
      inner.substitutes = part.substitutes;
      for (const word of words) for (const script of word.scripts) holders?.set(script, at);
      this.start(inner, at, place, holders, false);
    }
    for (const script of start.scripts) this.script(script, part, place);
    const moved = start.commands.length > 0 && start.folder === undefined && this.folder !== folder;
    this.folder = moved ? null : folder;
  }

  /** A text that a part hands to a shell is read as a line of its own. */
  private script({ text, posix }: StartedScript, part: Part, place: Place): void {
    part.opaque ??= lineHazard(text);
    const script = parse(text);
    this.nested(script, { ...place, source: text, posix, fromScript: true });
  }

  /** A shell without a script reads the text that a heredoc gives it. */
  private feed(part: Part, index: number, redirects: readonly Redirecting[], place: Place): void {
    if (part.opaque === null || part.program === null || !SHELLS.has(tableName(part.program))) return;
    for (const { input } of redirects) {
      if (input === null) continue;
      const inner = { ...place, startedBy: index, depth: place.depth + 1 };
      this.script({ text: input, posix: true }, part, inner);
    }
  }
}

function named(word: ReadWord): ShellAssignment {
  return { name: /^[^=+[]*/.exec(word.source)?.[0] ?? "", source: word.source };
}

/** A wrapper is seen through only where it is the program of our tables, and all its substitutions stand in what it starts. */
function wrappingOf(part: Part, program: string, start: Start): "none" | "transparent" | "outer" {
  if (start.wrapping !== "transparent") return start.wrapping;
  if (!isStandardProgram(program)) return "outer";
  const inner = new Set(start.commands.flat());
  return part.argv.some((word) => word.scripts.length > 0 && !inner.has(word)) ? "outer" : "transparent";
}
