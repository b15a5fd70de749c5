import { PermissionGateError } from "../errors.js";
import { fnv1a64 } from "../fnv1a64.js";
import type { WorkspaceReader } from "../policy.js";

/**
 * Absolute paths and what is there: a text file, an empty folder, or a symbolic link to an absolute path or one relative
 * to its own folder. The folders above each are there too.
 */
export type MemoryFiles = { readonly [path: string]: string | { link: string } | { folder: true } };

export interface MemoryWorkspaceOptions {
  /** default `/w`, or `C:\w` on win32; it always exists */
  root?: string;
  home?: string;
  /** default `posix` */
  platform?: "posix" | "win32";
  /** default: true on win32, else false */
  caseInsensitive?: boolean;
}

/** More links than this on one way are a loop. */
const MOST_LINKS = 40;

/** A workspace whose files are `files`; later changes to that object show. Relative paths start at the root. */
export function memoryWorkspace(files: MemoryFiles, options: MemoryWorkspaceOptions = {}): WorkspaceReader {
  const platform = options.platform ?? "posix";
  const root = options.root ?? (platform === "win32" ? "C:\\w" : "/w");
  const caseInsensitive = options.caseInsensitive ?? platform === "win32";
  const tree = new Tree(files, root, platform, caseInsensitive);
  return {
    root,
    ...(options.home === undefined ? {} : { home: options.home }),
    platform,
    caseInsensitive,
    realPath: (path) => tree.resolve(path)?.path ?? null,
    readText(path) {
      const found = tree.resolve(path);
      if (found === null) return null;
      if (typeof found.content !== "string") throw new PermissionGateError("storage", `is a folder: ${path}`);
      return { text: found.content, stamp: fnv1a64(found.content) };
    },
  };
}

interface Found {
  /** as it is spelled in the tree */
  path: string;
  content: MemoryFiles[string];
}

class Tree {
  readonly #files: MemoryFiles;
  readonly #root: string;
  readonly #separator: "/" | "\\";
  readonly #caseInsensitive: boolean;

  constructor(files: MemoryFiles, root: string, platform: "posix" | "win32", caseInsensitive: boolean) {
    this.#files = files;
    this.#root = root;
    this.#separator = platform === "win32" ? "\\" : "/";
    this.#caseInsensitive = caseInsensitive;
  }

  /** What is at `path` once its links are followed, name by name, so that `..` after a link leaves the link's target. */
  resolve(path: string): Found | null {
    const entries = this.#entries();
    const waiting = this.#names(path, this.#names(this.#root, []));
    const at: string[] = [];
    let links = 0;
    /** how many names still wait once all that links led to is walked */
    let ownNames = waiting.length;
    let found = this.#lookUp(entries, at);
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      if (typeof found?.content === "string") return null;
      if (name === "..") at.length = Math.max(at.length - 1, this.#top());
      else at.push(name);
      found = this.#lookUp(entries, at);
      if (found === null) {
        if (waiting.length < ownNames) return null;
        throw new PermissionGateError("storage", `a link leads nowhere: ${path}`);
      }
      ownNames = Math.min(ownNames, waiting.length);
      if (typeof found.content === "string" || !("link" in found.content)) continue;
      links += 1;
      if (links > MOST_LINKS) throw new PermissionGateError("storage", `too many links: ${path}`);
      at.pop();
      waiting.unshift(...this.#names(found.content.link, at));
      at.length = 0;
      found = this.#lookUp(entries, at);
    }
    return found;
  }

  /** The names on the way to an absolute path, or to a relative one under `base`. The drive is the first name. */
  #names(path: string, base: readonly string[]): string[] {
    const parts = path.split(this.#separator === "\\" ? /[\\/]/ : "/");
    const names = parts.filter((part) => part !== "" && part !== ".");
    const isAbsolute = this.#separator === "/" ? path.startsWith("/") : /^[A-Za-z]:[\\/]?/.test(path);
    return isAbsolute ? names : [...base, ...names];
  }

  /** How many names `..` cannot leave: the drive. */
  #top(): number {
    return this.#separator === "\\" ? 1 : 0;
  }

  #spell(names: readonly string[]): string {
    if (this.#separator === "/") return `/${names.join("/")}`;
    return names.length === 1 ? `${names.join("")}\\` : names.join("\\");
  }

  #key(names: readonly string[]): string {
    const spelled = this.#spell(names);
    return this.#caseInsensitive ? spelled.toLowerCase() : spelled;
  }

  #lookUp(entries: ReadonlyMap<string, Found>, names: readonly string[]): Found | null {
    return entries.get(this.#key(names)) ?? null;
  }

  #entries(): Map<string, Found> {
    const entries = new Map<string, Found>();
    const put = (names: readonly string[], content: Found["content"]) => {
      const key = this.#key(names);
      if (!entries.has(key)) entries.set(key, { path: this.#spell(names), content });
    };
    for (const [path, content] of [...Object.entries(this.#files), [this.#root, { folder: true }] as const]) {
      const names = this.#names(path, []);
      for (let length = 0; length < names.length; length++) put(names.slice(0, length), { folder: true });
      put(names, content);
    }
    return entries;
  }
}
