import { displaySafe } from "@x/permission-core";

/** Something that the user gave cannot be worked with. The message is one line that is safe to print; the exit code is 2. */
export class BadInput extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(displaySafe(message, { maxLength: 600 }).text, options);
  }
}

/** What went wrong, in the words of whatever threw. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
