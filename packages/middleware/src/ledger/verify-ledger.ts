import { PermissionGateError } from "@x/permission-core";
import { seriesOf, sortLedgerFiles } from "./ledger-names.js";
import { rawLines } from "./raw-lines.js";
import {
  type FirstEvents,
  type LedgerPlace,
  type LedgerProblem,
  SeriesVerifier,
  type VerifiedSeries,
} from "./verify-series.js";

export interface VerifyOptions {
  /** `sorted`: by their names, in the order in which they were written. Default; `given` leaves them as they are. */
  order?: "sorted" | "given";
  /** Hashes that `head()` gave once: each must be that of a line that is still there. */
  expectHead?: string | readonly string[];
  /** Of every writer a line must carry one of `expectHead`: whoever is not among them is a problem. Default false. */
  noOtherWriters?: boolean;
}

export interface LedgerVerification {
  /** nothing is wrong */
  ok: boolean;
  /** the first of each writer */
  problems: LedgerProblem[];
  /** where writes were cut off, by a crash or a full disk */
  torn: LedgerPlace[];
  /** one per writer, in the order of their first files */
  series: VerifiedSeries[];
}

/**
 * Whether the files of a ledger are as they were written. Of each writer the first line is named that is broken, changed,
 * missing or moved. Without a chain that is the form of each line alone.
 *
 * What no chain can show by itself: lines taken away from the end, files taken away from the begin (`follows` tells what
 * the first one says), and a chain that was made anew from some line on, for which nobody needs a secret. Against all
 * three, keep the `head()` elsewhere and give it as `expectHead`. Nor does a chain show files of a writer that never was,
 * or lines without a chain before the first that has one: against those keep the `head()` of every writer, and allow
 * `noOtherWriters`. A last line without an end reads as cut off.
 *
 * Rejects with `storage` where a file cannot be read, and with `invalid_option` where `expectHead` is given as undefined.
 */
export async function verifyLedger(
  files: string | readonly string[],
  options: VerifyOptions = {},
): Promise<LedgerVerification> {
  const { order = "sorted", expectHead = [], noOtherWriters = false } = options;
  // Heads that were meant, and are not there, would let lines be missing.
  if (options.expectHead === undefined && "expectHead" in options) {
    const message = "expectHead is undefined: give the hashes that head() gave, or leave it out";
    throw new PermissionGateError("invalid_option", message);
  }
  const given = typeof files === "string" ? [files] : files;
  const expected = new Set(typeof expectHead === "string" ? [expectHead] : expectHead);
  const firstEvents: FirstEvents = new Map();
  const verifiers = new Map<string, SeriesVerifier>();
  for (const file of order === "sorted" ? sortLedgerFiles(given) : given) {
    const verifier = verifiers.get(seriesOf(file)) ?? new SeriesVerifier(expected, firstEvents);
    verifiers.set(seriesOf(file), verifier);
    verifier.beginFile(file);
    for await (const lines of rawLines(file)) for (const line of lines) verifier.line(line);
    verifier.endFile();
  }
  if (noOtherWriters) for (const verifier of verifiers.values()) verifier.refuseUnexpected();
  const series = [...verifiers.values()].map(({ result }) => result);
  const problems = series.flatMap(({ problem }) => problem ?? []);
  if (problems.length === 0) problems.push(...truncations(expected, series));
  return { ok: problems.length === 0, problems, torn: series.flatMap(({ torn }) => torn), series };
}

/** The expected hashes that no line carries, put at the end of the last writer with a chain. */
function truncations(expected: ReadonlySet<string>, series: readonly VerifiedSeries[]): LedgerProblem[] {
  const last = series.findLast(({ isChained }) => isChained) ?? series.at(-1);
  return Array.from(expected, (hash) => ({
    kind: "truncated" as const,
    file: last?.files.at(-1) ?? "",
    line: last?.lines ?? 0,
    message: `no line carries the expected hash ${hash}: the ledger was cut, or made anew`,
  }));
}
