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
}

const KNOWN = new WeakMap<WorkspaceReader, Anchors>();

/** Worked out once for each workspace. */
export function anchorsOf(reader: WorkspaceReader): Anchors {
  const known = KNOWN.get(reader);
  if (known !== undefined) return known;
  const anchors = newAnchors(reader);
  KNOWN.set(reader, anchors);
  return anchors;
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
  return {
    reader,
    platform,
    caseInsensitive,
    root,
    home,
    realRoot: once(() => tryRealPath(reader, root)),
    realHome: once(() => (home === null ? null : tryRealPath(reader, home))),
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

/** Asks again until there is an answer. */
function once(ask: () => string | null): () => string | null {
  let answer: string | null = null;
  return () => {
    answer ??= ask();
    return answer;
  };
}
