export { JsonlLedger, type JsonlLedgerOptions } from "./jsonl-ledger.js";
export { LEDGER_VERSION, type LedgerLine } from "./ledger-line.js";
