import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportEvent } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { onTestFinished } from "vitest";
import {
  JsonlLedger,
  type JsonlLedgerOptions,
  type LedgerLine,
  ledgerFiles,
  readLedger,
} from "../../../src/ledger/index.js";

/** A folder of the test's own, gone after it, and ledgers in it. */
export function ledgerRig(options: Partial<JsonlLedgerOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), "ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "ledger.jsonl");
  const reports: ReportEvent[] = [];
  const clock = new ManualClock();
  const files = () => ledgerFiles(file);
  return {
    folder,
    file,
    reports,
    clock,
    files,
    open: (more: Partial<JsonlLedgerOptions> = {}) =>
      new JsonlLedger({ file, clock, onReport: (event) => void reports.push(event), ...options, ...more }),
    textOf: (path: string = file) => readFileSync(path, "utf8"),
    modeOf: (path: string = file) => statSync(path).mode & 0o777,
    messages: () => reports.map(({ level, message }) => `${level}: ${message.replaceAll(folder, "")}`),
    /** every line of every file */
    lines: async (): Promise<LedgerLine[]> => {
      const lines: LedgerLine[] = [];
      for await (const reading of readLedger(await files())) {
        if (reading.kind === "line") lines.push(reading.value);
      }
      return lines;
    },
  };
}
