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
