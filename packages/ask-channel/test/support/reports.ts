import type { ReportEvent } from "@x/permission-core";

/** An `onReport` that keeps what it was told. */
export function reports() {
  const events: ReportEvent[] = [];
  return { events, onReport: (event: ReportEvent) => void events.push(event) };
}

/** For tests that reports are not about: a channel that is dropped at their end reports when it is collected. */
export const SILENT = { onReport: () => {} };
