import { createHash } from "node:crypto";
import { NIL_UUID, type PendingAsk } from "@x/permission-core";

/** Longer names of calls are digested. */
const LONGEST_NAME = 300;

/**
 * Equal exactly for asks about the same call: same session, run, turn, call, tool, descriptor and arguments. Null where session
 * or run is nil, since calls of different runs would be taken for one.
 */
export function callName(ask: PendingAsk): string | null {
  if (ask.session_id === NIL_UUID || ask.run_id === NIL_UUID) return null;
  const name = JSON.stringify([
    ask.session_id,
    ask.run_id,
    ask.turn,
    ask.call_id,
    ask.args_digest,
    ask.tool,
    ask.descriptor_digest ?? null,
  ]);
  return name.length <= LONGEST_NAME ? name : createHash("sha256").update(name).digest("base64url");
}
