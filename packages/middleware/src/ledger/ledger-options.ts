import { type Clock, isolatedReport, type OnReport, reportToConsole, systemClock } from "@x/permission-core";
import { checkOption } from "../check-option.js";
import type { Redact } from "./redaction.js";
import { wholeMs } from "./whole-ms.js";

export interface JsonlLedgerOptions {
  /** a path; relative ones are taken from where the process stands when the ledger is made */
  file: string;
  /** Records arguments and outputs too. They hold whatever secrets the tools handle. Default false. */
  includeInput?: boolean;
  /** Seals every line with a SHA-256 hash over it and the line before, also across files. Default false. */
  chain?: boolean;
  /** A file is full where the next line would make it longer; a line that is longer gets a file. Default: never full. */
  maxBytes?: number;
  /** milliseconds from the first line of a file, after which the next line goes into another; default: never */
  maxAgeMs?: number;
  /** `batch`: a line counts as written once the system says that it would survive a power cut. Default `none`. */
  sync?: "none" | "batch";
  /** Denies calls that are not on record, where the ledger is one of the engine's `hooks` too. Default false. */
  auditRequired?: boolean;
  /** about how many bytes may wait to be written; what comes beyond is lost, and counted. Default 64 MiB. */
  maxPendingBytes?: number;
  /** Changes reasons, prompts and other texts before they are written; see {@link Redact}. */
  redact?: Redact;
  /** of the lines that are the ledger's own, and of `maxAgeMs` */
  clock?: Clock;
  /** default: `console.warn` */
  onReport?: OnReport;
}

export type LedgerSettings = Required<Omit<JsonlLedgerOptions, "redact">> & { redact: Redact | undefined };

/** Fills in the defaults, and has the clock tell whole milliseconds. Throws `invalid_option`. */
export function ledgerSettings(options: JsonlLedgerOptions): LedgerSettings {
  const clock = options.clock ?? systemClock;
  const settings: LedgerSettings = {
    file: options.file,
    includeInput: options.includeInput ?? false,
    chain: options.chain ?? false,
    maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY,
    maxAgeMs: options.maxAgeMs ?? Number.POSITIVE_INFINITY,
    sync: options.sync ?? "none",
    auditRequired: options.auditRequired ?? false,
    maxPendingBytes: options.maxPendingBytes ?? 64 * 1024 * 1024,
    redact: options.redact,
    clock: {
      now: () => wholeMs(clock.now()),
      setTimer: (callback, delayMs) => clock.setTimer(callback, delayMs),
    },
    onReport: options.onReport ?? reportToConsole,
  };
  const { file, sync, redact, onReport } = settings;
  const isPath = typeof file === "string" && file !== "" && !file.includes("\0");
  checkOption(isPath, "file", file, "the path of a file");
  for (const option of ["includeInput", "chain", "auditRequired"] as const) {
    checkOption(typeof settings[option] === "boolean", option, settings[option], "true or false");
  }
  for (const option of ["maxBytes", "maxAgeMs", "maxPendingBytes"] as const) {
    checkOption(settings[option] > 0, option, settings[option], "a number above 0");
  }
  checkOption(sync === "none" || sync === "batch", "sync", sync, '"none" or "batch"');
  checkOption(redact === undefined || typeof redact === "function", "redact", redact, "a function");
  checkOption(typeof onReport === "function", "onReport", onReport, "a function");
  return { ...settings, onReport: isolatedReport(onReport) };
}
