import { PermissionGateError } from "@x/permission-core";

/** Characters of an ask or an answer as JSON: approvers read every ask and workers every answer, many at a time. */
const MOST_CHARACTERS = 1_000_000;

/** Throws code `bad_record` where `json` is longer; `advice`: what would shorten it. */
export function requireLength(what: "ask" | "answer", json: string, advice: string): void {
  if (json.length <= MOST_CHARACTERS) return;
  throw new PermissionGateError(
    "bad_record",
    `${what}: as JSON it has ${json.length} characters, and may have ${MOST_CHARACTERS}: ${advice}`,
  );
}
