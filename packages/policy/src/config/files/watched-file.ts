import type { RuleSet, WorkspaceReader } from "@x/permission-core";
import type { ConfigFile } from "./config-file.js";
import { diskStamp } from "./disk-stamp.js";
import { missingFile, parseConfigFile, unreadableFile } from "./parse-config-file.js";

/** What was found when a file was looked at last. */
type Seen = { readonly text: string } | { readonly missing: true } | { readonly failed: string };

/** Milliseconds after which a file system's clock has surely ticked. */
const LONGEST_TICK_MS = 2_000;

/**
 * One file of a workspace, whose rules are worked out anew when its text is another. A file on disk that has not changed for
 * a while is known by its stamp; any other is read, and its text compared: one that is rewritten in place, twice within one
 * tick of the clock, may keep its stamp.
 */
export class WatchedFile {
  readonly #file: ConfigFile;
  readonly #workspace: WorkspaceReader;
  readonly #now: () => number;
  #seen: Seen | null = null;
  /** the stamp by which what was seen is known; null: it must be read to be known */
  #stamp: string | null = null;
  #rules: RuleSet = { rules: [], problems: [], failClosed: null };

  constructor(file: ConfigFile, workspace: WorkspaceReader, now: () => number) {
    this.#file = file;
    this.#workspace = workspace;
    this.#now = now;
  }

  /** Its rules as the file is now; the same object as before, where nothing changed. */
  look(): RuleSet {
    if (this.#stamp !== null && diskStamp(this.#file.path)?.key === this.#stamp) return this.#rules;
    const seen = this.#read();
    if (this.#seen === null || !isSame(this.#seen, seen)) {
      this.#rules = this.#parse(seen);
      this.#seen = seen;
    }
    return this.#rules;
  }

  #read(): Seen {
    const { path } = this.#file;
    this.#stamp = null;
    try {
      // The quickest answer for what is missing. It throws for a link that leads nowhere.
      if (this.#workspace.realPath(path) === null) return { missing: true };
      const stamp = diskStamp(path);
      const found = this.#workspace.readText(path);
      if (found === null) return { missing: true };
      // Only where the workspace read that very file: it may have files of its own under these paths.
      const isKnown = stamp !== null && found.stamp === stamp.readerStamp;
      if (isKnown && this.#now() - stamp.changedAt > LONGEST_TICK_MS) this.#stamp = stamp.key;
      return { text: found.text };
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  #parse(seen: Seen): RuleSet {
    if ("text" in seen) return parseConfigFile(this.#file, seen.text);
    return "failed" in seen ? unreadableFile(this.#file, seen.failed) : missingFile(this.#file);
  }
}

function isSame(left: Seen, right: Seen): boolean {
  if ("text" in left) return "text" in right && left.text === right.text;
  if ("failed" in left) return "failed" in right && left.failed === right.failed;
  return "missing" in right;
}
