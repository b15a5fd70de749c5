import { type PendingAsk, PermissionGateError, parsePendingAsk } from "@x/permission-core";
import { readJson } from "../read-json.js";
import { requireLength } from "./require-length.js";
import type { Signer } from "./signer.js";

/**
 * The ask as it stands in Redis, and travels in notices: its signature, a blank, and the ask as JSON. Throws code `bad_record`
 * where that has more than 1,000,000 characters.
 */
export function writeStoredAsk(ask: PendingAsk, signer: Signer): string {
  const text = JSON.stringify(ask);
  requireLength("ask", text, "shorten its prompt or details");
  return sign(text, signer);
}

/** The same, under an id that was never used before, and may be longer than its own. */
export function renewStoredAsk(ask: PendingAsk, signer: Signer): { id: string; text: string } {
  const id = globalThis.crypto.randomUUID();
  return { id, text: sign(JSON.stringify({ ...ask, id }), signer) };
}

/** Throws code `bad_record` or `bad_json` for what is no ask, or is not signed as this channel's asks are. */
export function readStoredAsk(stored: string, signer: Signer): PendingAsk {
  const end = stored.indexOf(" ");
  const text = stored.slice(end + 1);
  if (end < 0 || !signer.isAsk(text, stored.slice(0, end))) {
    throw new PermissionGateError("bad_record", "ask: its signature is not of a secret of this channel");
  }
  return parsePendingAsk(readJson(text, "ask"));
}

function sign(text: string, signer: Signer): string {
  return `${signer.signAsk(text)} ${text}`;
}
