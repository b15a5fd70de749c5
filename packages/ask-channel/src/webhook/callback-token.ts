import { createHmac, randomBytes } from "node:crypto";
import { isSame } from "./verify-signature.js";

/** What a token says: the one ask that it may answer, and until when. */
export interface TokenClaims {
  readonly id: string;
  readonly args_digest: string;
  readonly issued_at_ms: number;
  readonly expires_at_ms: number;
}

/** A token for one answer to the ask that `claims` name. It can be read by whoever has it, and made by who has a secret only. */
export function mintToken(claims: TokenClaims, key: Uint8Array): string {
  const { id, args_digest, issued_at_ms, expires_at_ms } = claims;
  const nonce = randomBytes(16).toString("base64url");
  const text = JSON.stringify([id, args_digest, issued_at_ms, expires_at_ms, nonce]);
  const payload = Buffer.from(text).toString("base64url");
  return `${payload}.${seal(payload, key)}`;
}

/** What the token says; null unless one of `keys` made it. */
export function readToken(token: string, keys: readonly Uint8Array[]): TokenClaims | null {
  const [payload = "", given = "", ...rest] = token.split(".");
  let isGenuine = false;
  for (const key of keys) {
    const isEqual = isSame(given, seal(payload, key));
    isGenuine ||= isEqual;
  }
  if (!isGenuine || rest.length > 0) return null;
  const [id, args_digest, issued_at_ms, expires_at_ms] = JSON.parse(
    String(Buffer.from(payload, "base64url")),
  );
  return { id, args_digest, issued_at_ms, expires_at_ms };
}

/** Of another key than messages are signed with, so that neither can be passed off as the other. */
function seal(payload: string, key: Uint8Array): string {
  const own = createHmac("sha256", key).update("permission-gate callback token v1").digest();
  return createHmac("sha256", own).update(payload).digest("base64url");
}
