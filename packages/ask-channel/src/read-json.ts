import { displaySafe, PermissionGateError } from "@x/permission-core";

/** Throws code `bad_json`, whose message names `what`. */
export function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PermissionGateError("bad_json", `${what}: it is no JSON`, { cause: shownSafely(cause) });
  }
}

/** An error that may quote foreign text, as one whose words can be shown: engines quote what they could not parse. */
export function shownSafely(error: unknown): Error {
  return new Error(displaySafe(String(error)).text);
}
