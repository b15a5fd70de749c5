import { type ParsedScript, parse } from "unbash";
import { Line, type Place } from "./line.js";
import type { Part } from "./part.js";
import { plainWord } from "./read-word.js";
import type { ShellAnalysis, ShellDialect } from "./shell-analysis.js";
import { lineHazard } from "./unread-text.js";
import { walkScript } from "./walk.js";
import { writtenAndRun } from "./written-and-run.js";

/** Characters of text, beyond which a line is opaque. */
const MAX_TEXT = 8192;
/** Beyond this many, the rest is not even looked at. */
const MAX_VISIBLE_TEXT = 16_384;

/** Words that need no parser. */
const PLAIN_LINE = /^[\w./:@%+,-][\w./:=@%+, -]*$/;
const RESERVED =
  /^(?:if|then|else|elif|fi|do|done|case|esac|while|until|for|in|function|select|time|coproc|end|repeat|foreach)$/;

export interface AnalyzeOptions {
  /** default `posix` */
  readonly dialect?: ShellDialect;
}

/**
 * What a text would run, were a shell given it. Never throws. What cannot be told for sure is opaque, and whatever is still
 * visible stands in `parts`: text beyond 8,192 characters, 32 levels or 2,000 words is opaque too.
 */
export function analyzeShell(command: string, options: AnalyzeOptions = {}): ShellAnalysis {
  const dialect = options.dialect ?? "posix";
  const line = new Line(walkScript);
  if (dialect !== "posix" && dialect !== "bash") line.refuse(`the language of ${dialect} is not read here`);
  const place: Place = {
    source: command,
    posix: dialect === "posix",
    startedBy: null,
    heldBy: null,
    grouped: false,
    background: false,
    fromScript: false,
    depth: 0,
  };
  if (readPlain(line, command, place)) return new LineAnalysis(dialect, line, true);
  if (command.length > MAX_TEXT) line.refuse("it is too long to be read whole");
  line.refuse(lineHazard(command));
  const script = read(line, command.slice(0, MAX_VISIBLE_TEXT), place);
  return new LineAnalysis(dialect, line, script !== null && isSingleCommand(script));
}

function read(line: Line, text: string, place: Place): ParsedScript | null {
  try {
    const script = parse(text);
    walkScript(line, script, place);
    line.refuse(writtenAndRun(line.parts));
    if (line.swapsOutput && line.opensInput && line.parts.some((part) => part.reopensOutput)) {
      line.refuse("output that is opened anew, which may be what was only read");
    }
    return script;
  } catch {
    line.refuse("it cannot be parsed");
    return null;
  }
}

/** A command of plain words, as most are, is split at its blanks. */
function readPlain(line: Line, command: string, place: Place): boolean {
  if (command.length > 512 || !PLAIN_LINE.test(command)) return false;
  const words = command.split(" ").filter((word) => word !== "");
  const first = words[0];
  if (first === undefined || first.includes("=") || RESERVED.test(first)) return false;
  line.command({ assignments: [], words: words.map(plainWord), redirects: [] }, place);
  return true;
}

function isSingleCommand({ commands }: ParsedScript): boolean {
  const node = commands.length === 1 ? commands[0]?.command : undefined;
  if (node?.type === "Pipeline") return node.commands.length === 1 && node.commands[0]?.type === "Command";
  return node?.type === "Command";
}

class LineAnalysis implements ShellAnalysis {
  readonly dialect: ShellDialect;
  readonly opaque: string | null;
  readonly parts: readonly Part[];

  constructor(
    dialect: ShellDialect,
    line: Line,
    private readonly isSingle: boolean,
  ) {
    this.dialect = dialect;
    this.parts = line.parts;
    this.opaque = line.opaque ?? line.parts.find((part) => part.opaque !== null)?.opaque ?? null;
  }

  get readOnly(): boolean {
    const { parts } = this;
    return (
      this.opaque === null && parts.length > 0 && parts.every((part) => part.readOnly && !part.substitutes)
    );
  }

  get simple(): boolean {
    if (!this.isSingle || this.opaque !== null || this.parts[0]?.program == null) return false;
    return this.parts.every(
      (part) =>
        !part.substitutes &&
        !part.grouped &&
        !part.background &&
        part.argv.length > 0 &&
        !part.redirectsInput &&
        !part.redirectsWrite &&
        !part.fromScript,
    );
  }
}
