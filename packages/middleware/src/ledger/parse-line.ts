import { PermissionGateError } from "@x/permission-core";
import { LEDGER_VERSION, type LedgerLine } from "./ledger-line.js";
import { isLineType, readFields } from "./line-schema.js";

/**
 * Reads the text of one line. Fields that it does not know are left out, and so is its seal. Throws `bad_json`, or
 * `bad_record` naming the field at fault; also for a version or a type of line that it does not know.
 */
export function parseLedgerLine(text: string): LedgerLine {
  const value = parseObject(text);
  const { v, type } = value;
  if (v !== LEDGER_VERSION) throw bad(`its version is ${shown(v)}, not ${LEDGER_VERSION}`);
  if (!isLineType(type)) throw bad(`unknown type ${shown(type)}`);
  const read = readFields(type, value);
  if ("problem" in read) throw bad(read.problem);
  return { v, type, ...read.fields } as LedgerLine;
}

function parseObject(text: string): { [key: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new PermissionGateError("bad_json", "not a line of JSON", { cause });
  }
  if (typeof value === "object" && value !== null) return value as { [key: string]: unknown };
  throw bad("not an object");
}

function bad(what: string): PermissionGateError {
  return new PermissionGateError("bad_record", what);
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
