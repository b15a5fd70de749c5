import type { WorkspaceReader } from "@x/permission-core";
import { LatestRules, type Trusted } from "./latest-rules.js";

/** Of more workspaces than these, the one that was asked about longest ago is forgotten. */
const MOST_WORKSPACES = 1_000;

/**
 * What a source gave last, for each reader of a workspace by itself: two machines may have the same folder. Only denies are
 * shared by root, and only while nothing newer can be had, so that a host that makes a reader for every call keeps them.
 */
export class LatestByWorkspace {
  readonly #byReader = new WeakMap<WorkspaceReader, LatestRules>();
  /** the one of longest ago first */
  readonly #byRoot = new Map<string, Trusted>();
  readonly #without = new LatestRules();

  of(workspace: WorkspaceReader | undefined): LatestRules {
    if (workspace === undefined) return this.#without;
    const known = this.#byReader.get(workspace);
    if (known !== undefined) return known;
    const latest = new LatestRules(this.#trustedOf(workspace));
    this.#byReader.set(workspace, latest);
    return latest;
  }

  #trustedOf({ root, platform }: WorkspaceReader): Trusted {
    const key = `${platform} ${root}`;
    const trusted = this.#byRoot.get(key) ?? { rules: [] };
    this.#byRoot.delete(key);
    this.#byRoot.set(key, trusted);
    const [oldest] = this.#byRoot.keys();
    if (this.#byRoot.size > MOST_WORKSPACES && oldest !== undefined) this.#byRoot.delete(oldest);
    return trusted;
  }
}
