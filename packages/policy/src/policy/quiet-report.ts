import type { OnReport } from "@x/permission-core";

/** Tells `onReport`, whose own failure changes no decision. */
export function quietReport(onReport: OnReport): OnReport {
  return (event) => {
    try {
      // A function that is asynchronous is one that gives nothing to whoever calls it.
      const told: unknown = onReport(event);
      if (told instanceof Promise) told.catch(() => {});
    } catch {
      // Whoever reports fails has nobody left to tell.
    }
  };
}
