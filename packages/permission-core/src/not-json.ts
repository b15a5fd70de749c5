import { isPermissionGateError, PermissionGateError } from "./errors.js";

/** Paths longer than this many members show their first and last ones only. */
const SHOWN_MEMBERS = 16;
const SHOWN_KEY_LENGTH = 64;
const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/;

/**
 * The error of a value that JSON cannot hold: code `not_json`, with the culprit's place in the message and, for
 * programs, in a `path` property that {@link notJsonPath} reads.
 */
export function notJson(path: string, problem: string, options?: { cause?: unknown }): PermissionGateError {
  const message = `Not a JSON value: ${problem} at ${path}`;
  return Object.assign(new PermissionGateError("not_json", message, options), { path });
}

/** Where in the value the culprit of a `not_json` error stands, such as `$.a[0]`; null for any other error. */
export function notJsonPath(error: unknown): string | null {
  if (!isPermissionGateError(error, "not_json") || !("path" in error)) return null;
  return typeof error.path === "string" ? error.path : null;
}

/**
 * `$` is the whole value, `.a` a member, `["odd key"]` a member whose name is no identifier, `[0]` an element. Printable
 * ASCII only and of bounded length, since keys are whatever a model wrote and the path goes into records and logs.
 */
export function jsonPath(members: readonly (string | number)[]): string {
  if (members.length <= 2 * SHOWN_MEMBERS) return `$${members.map(segment).join("")}`;
  const first = members.slice(0, SHOWN_MEMBERS).map(segment).join("");
  const last = members.slice(-SHOWN_MEMBERS).map(segment).join("");
  return `$${first}...${last}`;
}

function segment(member: string | number): string {
  if (typeof member === "number") return `[${member}]`;
  const shown = member.length > SHOWN_KEY_LENGTH ? `${member.slice(0, SHOWN_KEY_LENGTH)}...` : member;
  if (PLAIN_KEY.test(shown)) return `.${shown}`;
  const quoted = JSON.stringify(shown).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `[${quoted}]`;
}
