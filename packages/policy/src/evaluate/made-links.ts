import { foldSpelling } from "../paths/fold-case.js";
import { isWithin } from "../paths/fold-names.js";
import type { ShellPart, ShellTarget } from "../shell/shell-analysis.js";
import { tableName } from "../shell/starts/start.js";
import type { Evaluation } from "./evaluation.js";

/** A place where a part of a line makes a link. */
interface MadeLink {
  readonly part: ShellPart;
  /** as it is named and where the folders above lead now, spelled as places are compared; null: it may be anywhere */
  readonly paths: readonly string[] | null;
}

/**
 * The links that a line makes before it is over. Where such a link leads is known to nobody yet, so that what another part
 * does through it, or to what it holds, cannot be told. The order does not matter: a loop runs a line's end before its beginning.
 */
export class MadeLinks {
  readonly #evaluation: Evaluation;
  readonly #links: readonly MadeLink[];

  constructor(evaluation: Evaluation, parts: readonly ShellPart[]) {
    this.#evaluation = evaluation;
    this.#links = parts.length < 2 ? [] : parts.filter(makesLinks).flatMap((part) => this.#linksOf(part));
  }

  /** Whether a target of a part may be another file by then. */
  mayLead(part: ShellPart, target: ShellTarget): boolean {
    const { path, folder, operation } = target;
    const others = this.#links.filter((link) => link.part !== part);
    if (others.length === 0) return false;
    // Where it cannot be told anyway, nothing is changed; `..` behind a link leads to wherever that one stands.
    if (path === null || folder === null) return false;
    if (UP.test(path) || UP.test(folder) || others.some(({ paths }) => paths === null)) return true;
    const own = this.#pathsOf(target);
    const isReadWhole = operation === "read" && target.whole === true;
    return others.some(({ paths }) =>
      paths?.some((link) =>
        own.some((place) => {
          // Taking a link away leaves alone what it leads to.
          if (place === link) return operation !== "remove" || path.endsWith("/");
          return isWithin(link, place) || (isReadWhole && isWithin(place, link));
        }),
      ),
    );
  }

  #linksOf(part: ShellPart): MadeLink[] {
    const written = part.targets.filter(({ operation, by }) => operation === "write" && by === "program");
    const named = written.filter(({ path }) => path === null || !FOLDER.test(path));
    if (named.length === 0) return [{ part, paths: null }];
    return named.map((target) => {
      const isTold = target.path !== null && target.folder !== null;
      return { part, paths: isTold ? this.#pathsOf(target) : null };
    });
  }

  #pathsOf({ path, folder }: ShellTarget): string[] {
    const { normal, real } = this.#evaluation.resolve(path ?? "", folder);
    const caseInsensitive = this.#evaluation.workspace?.caseInsensitive === true;
    return [...new Set([normal, real ?? normal])].map((each) => foldSpelling(each, caseInsensitive));
  }
}

const UP = /(?:^|\/)\.\.(?:\/|$)/;
/** Such a name is a folder for sure, in which the link has a name of its own. */
const FOLDER = /(?:^|\/)\.{0,2}$/;

/** A link that is moved may lead elsewhere from where it is then. */
const LINKERS: ReadonlySet<string> = new Set(["ln", "gln", "link", "mv", "gmv", "rsync"]);
const COPIERS: ReadonlySet<string> = new Set(["cp", "gcp"]);
/** Of `cp`: links instead of copies, or links copied as such. Long options may be cut short. */
const SYMBOLIC = /^(?:-[A-Za-z]*[saPdRr]|--(?:sy|a|no-d|p|rec|li?n?k?$)|["'$`{*?[])/;

function makesLinks({ program, argv }: ShellPart): boolean {
  if (program === null) return false;
  const name = tableName(program);
  if (LINKERS.has(name)) return true;
  return COPIERS.has(name) && argv.some(({ value, source }) => SYMBOLIC.test(value ?? source));
}
