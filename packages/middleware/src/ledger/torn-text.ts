import { createHash } from "node:crypto";
import type { TornText } from "./ledger-line.js";

/** How a text that was cut off is named by the line after it. */
export function tornText(bytes: Uint8Array): TornText {
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/**
 * Whether bytes at the end of a file are a line that lacks nothing but its end. No begin of a line is one: its braces are
 * closed by its last character.
 */
export function isWholeLine(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString("utf8"));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
