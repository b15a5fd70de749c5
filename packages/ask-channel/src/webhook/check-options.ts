import { PermissionGateError } from "@x/permission-core";

/** Throws code `invalid_option` unless `value` is a whole number from `least` up. */
export function checkCount(option: string, value: number, least: number): void {
  if (Number.isSafeInteger(value) && value >= least) return;
  throw invalidOption(`${option} is ${String(value)}; give a whole number, ${least} or more`);
}

export function invalidOption(message: string): PermissionGateError {
  return new PermissionGateError("invalid_option", message);
}
