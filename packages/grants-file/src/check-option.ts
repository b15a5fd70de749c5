import { PermissionGateError } from "@x/permission-core";

/** Throws code `invalid_option` for an empty path or one that no system takes. */
export function requirePath(option: string, path: string): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  throw new PermissionGateError("invalid_option", `${option} is not the path of a folder`);
}

/** Throws code `invalid_option` for what is no time to wait; `Infinity` is one. */
export function requireDelay(option: string, ms: number): void {
  if (typeof ms === "number" && ms >= 0) return;
  throw new PermissionGateError("invalid_option", `${option} must be a number of milliseconds, 0 or more`);
}
