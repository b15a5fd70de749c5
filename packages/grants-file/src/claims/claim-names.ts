import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";

const CLAIM = /^[0-9a-f]{64}$/;

/** The file of the claim of a key. */
export function claimPath(folder: string, key: string): string {
  // As in JSON, so that a lone surrogate has a form of its own, too.
  return join(folder, createHash("sha256").update(JSON.stringify(key)).digest("hex"));
}

export function isClaimName(name: string): boolean {
  return CLAIM.test(name);
}

/** The file whose lock guards taking over and removing claims. It never exists itself. */
export function guardedPath(folder: string): string {
  return join(folder, "claims");
}

/** A name for a claim that is being written: an unfinished successor of the guarded file, which its sweep removes. */
export function unfinishedPath(folder: string): string {
  return join(folder, `.claims.${randomBytes(16).toString("hex")}.tmp`);
}
