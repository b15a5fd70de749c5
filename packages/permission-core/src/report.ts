import { PermissionGateError } from "./errors.js";

/** Something worth an operator's attention that is no part of a decision or a record. */
export interface ReportEvent {
  level: "warn" | "error";
  message: string;
  cause?: unknown;
}

/** Takes reports. An option of every pipeline, gate, store and channel; default {@link reportToConsole}. */
export type OnReport = (event: ReportEvent) => void;

/** The default: `console.warn`, with the cause where there is one. */
export const reportToConsole: OnReport = (event) => {
  if (event.cause === undefined) console.warn(event.message);
  else console.warn(event.message, event.cause);
};

/**
 * `onReport` as whoever reports calls it: what it throws, or rejects with where it is asynchronous, changes nothing, since
 * there is nobody left to tell. Left out: {@link reportToConsole}. Throws code `invalid_option` for what is no function.
 */
export function isolatedReport(onReport: OnReport = reportToConsole): OnReport {
  if (typeof onReport !== "function") {
    throw new PermissionGateError("invalid_option", "onReport must be a function");
  }
  return (event) => {
    try {
      const taken: unknown = onReport(event);
      if (typeof taken === "object" && taken !== null) Promise.resolve(taken).catch(() => {});
    } catch {
      // It could not be told.
    }
  };
}
