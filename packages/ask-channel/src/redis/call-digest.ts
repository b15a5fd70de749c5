import { createHash } from "node:crypto";
import { NIL_UUID, type PendingAsk } from "@x/permission-core";

/**
 * Equal for asks about the same call: same session, run, turn, call, tool, descriptor and arguments. Null where session or
 * run is nil, since calls of different runs would be taken for one.
 */
export function callDigest(ask: PendingAsk): string | null {
  if (ask.session_id === NIL_UUID || ask.run_id === NIL_UUID) return null;
  const call = [
    ask.session_id,
    ask.run_id,
    ask.turn,
    ask.call_id,
    ask.args_digest,
    ask.tool,
    ask.descriptor_digest ?? null,
  ];
  return createHash("sha256").update(JSON.stringify(call)).digest("base64url");
}
