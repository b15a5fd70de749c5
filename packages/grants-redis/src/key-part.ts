import { createHash } from "node:crypto";

/**
 * Any text as a part of a key: no colon, star, blank or brace is left in it, and no two texts have one form. Letters,
 * digits and `-_.!~'()` stand for themselves.
 */
export function keyPart(text: string): string {
  // As in JSON, so that a lone surrogate has a form of its own, too.
  return encodeURIComponent(JSON.stringify(text).slice(1, -1)).replaceAll("*", "%2A");
}

/** The same for texts of any length, in 64 hex. */
export function hashedKeyPart(text: string): string {
  return createHash("sha256").update(JSON.stringify(text)).digest("hex");
}
