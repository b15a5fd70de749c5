import type { WorkspaceReader } from "@x/permission-core";
import { foldNames, joinPath } from "./fold-names.js";
import { type Places, placePath, withSlashes } from "./place-path.js";

/** Root and home of a workspace, in the form that paths are compared in. */
export interface Anchors extends Places {
  readonly reader: WorkspaceReader;
  readonly caseInsensitive: boolean;
  /** where the root's own links lead; null: that cannot be told now */
  realRoot(): string | null;
  /** the same of the home folder */
  realHome(): string | null;
  /** forgets both */
  refresh(): void;
}

const KNOWN = new WeakMap<WorkspaceReader, Anchors>();

/** Worked out once for each workspace; where the links of root and home lead, anew after {@link refreshAnchors}. */
export function anchorsOf(reader: WorkspaceReader): Anchors {
  const known = KNOWN.get(reader);
  if (known !== undefined) return known;
  const anchors = newAnchors(reader);
  KNOWN.set(reader, anchors);
  return anchors;
}

/** Has the links of root and home followed anew: they may have changed since the last call. */
export function refreshAnchors(reader: WorkspaceReader): void {
  KNOWN.get(reader)?.refresh();
}

/** What `realPath` gives, in the form that paths are compared in; null for what is not there. Throws what it throws. */
export function realPathOf(reader: WorkspaceReader, path: string): string | null {
  const real = reader.realPath(path);
  return real === null || reader.platform === "posix" ? real : comparable(real, "win32");
}

function newAnchors(reader: WorkspaceReader): Anchors {
  const { platform, caseInsensitive } = reader;
  const root = comparable(reader.root, platform);
  const home = reader.home === undefined || reader.home === "" ? null : comparable(reader.home, platform);
  const realRoot = new Answer(() => tryRealPath(reader, root));
  const realHome = new Answer(() => (home === null ? null : tryRealPath(reader, home)));
  return {
    reader,
    platform,
    caseInsensitive,
    root,
    home,
    realRoot: () => realRoot.get(),
    realHome: () => realHome.get(),
    refresh: () => {
      realRoot.forget();
      realHome.forget();
    },
  };
}

function comparable(path: string, platform: Places["platform"]): string {
  const { top, names } = placePath(withSlashes(path, platform), { platform, root: "/", home: null });
  return joinPath(top, foldNames(names));
}

function tryRealPath(reader: WorkspaceReader, path: string): string | null {
  try {
    return realPathOf(reader, path);
  } catch {
    return null;
  }
}

/** Asks again until there is an answer, and keeps that until it is to be forgotten. */
class Answer {
  readonly #ask: () => string | null;
  #answer: string | null = null;

  constructor(ask: () => string | null) {
    this.#ask = ask;
  }

  get(): string | null {
    this.#answer ??= this.#ask();
    return this.#answer;
  }

  forget(): void {
    this.#answer = null;
  }
}
