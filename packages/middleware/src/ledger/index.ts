export { joinLedger, type LedgerCall } from "./join-ledger.js";
export { JsonlLedger } from "./jsonl-ledger.js";
export {
  type AskParkedLine,
  type GateDecisionLine,
  type GrantLine,
  type GrantsClearedLine,
  LEDGER_VERSION,
  type LedgerLine,
  type LedgerLostLine,
  type LedgerStartLine,
  type LedgerTornLine,
  type ToolCallLine,
  type ToolResultLine,
} from "./ledger-line.js";
export type { JsonlLedgerOptions } from "./ledger-options.js";
export type { LedgerReading } from "./line-reading.js";
export { parseLedgerLine } from "./parse-line.js";
export { ledgerFiles, readLedger } from "./read-ledger.js";
export type { Redact, RedactedField } from "./redaction.js";
export { type LedgerVerification, type VerifyOptions, verifyLedger } from "./verify-ledger.js";
export type { LedgerPlace, LedgerProblem, VerifiedSeries } from "./verify-series.js";
