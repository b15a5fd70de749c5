import type { OnReport } from "@x/permission-core";

/**
 * What goes wrong is printed. That a call was denied, or one of two could not be asked, is no accident here: the table at
 * the end tells it.
 */
export const quietly: { onReport: OnReport } = {
  onReport({ level, message, cause }) {
    if (level === "error") console.error(`! ${message}`, cause ?? "");
  },
};
