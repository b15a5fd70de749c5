import { PermissionGateError } from "@x/permission-core";

/** Throws code `invalid_option` unless `value` is a whole number from `least` up. */
export function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw invalidOption(`${option} is ${String(value)}; give a whole number, ${least} or more`);
}

/** Throws code `invalid_option` unless `value` is a boolean: the text of an environment variable, as "false" is, would count as true. */
export function checkFlag(option: string, value: boolean): void {
  if (typeof value !== "boolean") throw invalidOption(`${option} must be true or false`);
}

export function invalidOption(message: string): PermissionGateError {
  return new PermissionGateError("invalid_option", message);
}
