import { partForms } from "./forms.js";
import { isIsolatedCommand } from "./isolated-command.js";
import { mayConnect } from "./open-already.js";
import { isReadOnlyCommand } from "./read-only-command.js";
import type { ReadWord } from "./read-word.js";
import type { ShellAssignment, ShellPart, ShellTarget } from "./shell-analysis.js";
import { isOwnSubcommand } from "./starts/git-start.js";
import { scriptFile } from "./starts/script-file.js";
import { tableName } from "./starts/start.js";
import { isKnownProgram } from "./tables/known-programs.js";
import { partTargets, type ReadRedirect, reopensOutput } from "./targets.js";

/** What stands around a part. */
export interface PartPlace {
  readonly startedBy: number | null;
  readonly heldBy: number | null;
  readonly grouped: boolean;
  readonly background: boolean;
  /** stands in a text that a part hands to a shell */
  readonly fromScript: boolean;
}

/** A part as the walk fills it. What only some rules ask for is worked out when it is first read. */
export class Part implements ShellPart {
  readonly text: string;
  readonly startedBy: number | null;
  readonly heldBy: number | null;
  readonly grouped: boolean;
  readonly background: boolean;
  wrapping: ShellPart["wrapping"] = "none";
  substitutes = false;
  /** a heredoc or a here-string is its input */
  takesText = false;
  opaque: string | null = null;
  /** what its paths are relative to */
  folder: string | null;
  /** stands in a text that another part hands to a shell */
  readonly fromScript: boolean;
  /** what it starts */
  readonly started: Part[] = [];
  private ownForms: readonly string[] | null = null;
  private ownTargets: readonly ShellTarget[] | null = null;

  constructor(
    readonly assignments: readonly ShellAssignment[],
    readonly argv: readonly ReadWord[],
    readonly redirects: readonly ReadRedirect[],
    place: PartPlace,
    folder: string | null,
  ) {
    this.text = partText(assignments, argv);
    this.startedBy = place.startedBy;
    this.heldBy = place.heldBy;
    this.grouped = place.grouped;
    this.background = place.background;
    this.fromScript = place.fromScript;
    this.folder = folder;
  }

  get program(): string | null {
    return this.argv[0]?.value ?? null;
  }

  get forms(): readonly string[] {
    this.ownForms ??= partForms(this.text, this.assignments, this.argv);
    return this.ownForms;
  }

  get targets(): readonly ShellTarget[] {
    this.ownTargets ??= partTargets(this.argv, this.redirects, this.folder);
    return this.ownTargets;
  }

  get known(): boolean {
    if (this.program === null || !isKnownProgram(this.program) || scriptFile(this.argv) !== null)
      return false;
    return tableName(this.program) !== "git" || isOwnSubcommand(this.argv);
  }

  get readOnly(): boolean {
    if (this.opaque !== null || this.assignments.length > 0) return false;
    if (this.connects || this.targets.some((target) => target.operation !== "read")) return false;
    if (this.argv.length === 0) return true;
    if (this.wrapping !== "transparent") return this.wrapping === "none" && isReadOnlyCommand(this.argv);
    return this.program !== "nohup" && this.started.every((part) => part.readOnly);
  }

  get isolated(): boolean {
    if (this.opaque !== null || this.connects) return false;
    if (this.wrapping === "transparent") return this.started.every((part) => part.isolated);
    return this.wrapping === "none" && isIsolatedCommand(this.argv);
  }

  /** Whether it writes to what is open for output, by its name under `/dev`. */
  get reopensOutput(): boolean {
    return reopensOutput(this.argv, this.redirects);
  }

  /** Whether a redirect of its own may open a connection. */
  private get connects(): boolean {
    return this.redirects.some(({ word }) => mayConnect(word));
  }

  get redirectsInput(): boolean {
    return (
      this.takesText || this.targets.some(({ by, operation }) => by === "redirect" && operation === "read")
    );
  }

  /** Whether a redirect of its own writes a file. */
  get redirectsWrite(): boolean {
    return this.targets.some((target) => target.by === "redirect" && target.operation !== "read");
  }
}

function partText(assignments: readonly ShellAssignment[], argv: readonly ReadWord[]): string {
  let text = "";
  for (const { source } of assignments) text = text === "" ? source : `${text} ${source}`;
  for (const { source } of argv) {
    if (source !== "") text = text === "" ? source : `${text} ${source}`;
  }
  return text;
}
