import { type PendingAsk, PermissionGateError, parsePendingAsk } from "@x/permission-core";
import type { Signer } from "./signer.js";

/** An ask as it stands in Redis, or travels in a notice. */
export interface StoredAsk {
  readonly text: string;
  readonly signature: string;
}

/** Throws code `bad_record` or `bad_json` for what is no ask, or is not signed as this channel's asks are. */
export function readStoredAsk(stored: StoredAsk, signer: Signer): PendingAsk {
  if (!signer.isAsk(stored.text, stored.signature)) {
    throw new PermissionGateError("bad_record", "ask: its signature is not of a secret of this channel");
  }
  return parsePendingAsk(readJson(stored.text, "ask"));
}

/** Throws code `bad_json`. */
export function readJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PermissionGateError("bad_json", `${what}: it is no JSON`, { cause });
  }
}
