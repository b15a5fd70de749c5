import { PermissionGateError } from "@x/permission-core";

/** Throws `invalid_option` naming the option, its value and what it should be, unless `valid`. */
export function checkOption(valid: boolean, option: string, value: unknown, expected: string): void {
  if (valid) return;
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new PermissionGateError("invalid_option", `${option} is ${shown}; give ${expected}.`);
}

/** For options that count something: a whole number from 1 up. */
export function checkCount(option: string, value: number): void {
  checkOption(Number.isSafeInteger(value) && value >= 1, option, value, "a whole number, 1 or more");
}
