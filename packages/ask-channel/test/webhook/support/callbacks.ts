import { argsDigest, type PendingAsk } from "@x/permission-core";
import { Webhook } from "standardwebhooks";
import { mintToken } from "../../../src/webhook/callback-token.js";
import { secretKeys } from "../../../src/webhook/webhook-secrets.js";

export const SECRET = `whsec_${Buffer.from("a secret that is long enough").toString("base64")}`;
export const OTHER_SECRET = `whsec_${Buffer.from("another secret, as long as that").toString("base64")}`;
/** In November 2023, as `ManualClock` starts. */
export const NOW_MS = 1_700_000_000_000;

/** The token that an ask was posted with, some time ago. */
export function tokenFor(
  { id, args_digest }: Pick<PendingAsk, "id" | "args_digest">,
  expiresAtMs = NOW_MS + 3_600_000,
): string {
  const claims = { id, args_digest, issued_at_ms: 0, expires_at_ms: expiresAtMs };
  return mintToken(claims, secretKeys([SECRET])[0]);
}

/** The body of a callback that approves `ask`, with what is to be different. */
export function callbackBody(
  ask: Pick<PendingAsk, "id" | "args_digest">,
  fields: { [key: string]: unknown } = {},
): string {
  const { id, args_digest } = ask;
  return JSON.stringify({ id, args_digest, token: tokenFor(ask), resolution: "Approve", ...fields });
}

/** The headers that the library signs `body` with. */
export function signedHeaders(
  body: string,
  { id = `msg_${argsDigest(body)}`, secret = SECRET, atMs = NOW_MS } = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": `${Math.floor(atMs / 1000)}`,
    "webhook-signature": new Webhook(secret).sign(id, new Date(atMs), body),
  };
}

export function callbackRequest(
  body: string,
  headers: Record<string, string> = signedHeaders(body),
): Request {
  return new Request("https://gate.example/callback", { method: "POST", headers, body });
}

/** Status, and what the body says of it. */
export async function told(response: Response): Promise<[number, string]> {
  return [response.status, ((await response.json()) as { status: string }).status];
}
