import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

const TOLERANCE_SECONDS = 300;

/** The headers that sign one message, as https://www.standardwebhooks.com says. `secret`: `whsec_` and base64. */
export function signedHeaders(secret: string, id: string, body: string): Record<string, string> {
  const timestamp = `${Math.floor(Date.now() / 1000)}`;
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatureOf(secret, `${id}.${timestamp}.${body}`),
  };
}

/** Whether the message was signed with this secret, a short time ago. */
export function isSigned(secret: string, { headers }: IncomingMessage, body: string): boolean {
  const [id, timestamp] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  // Not a number: not signed.
  if (!(age <= TOLERANCE_SECONDS)) return false;
  const expected = Buffer.from(signatureOf(secret, `${id}.${timestamp}.${body}`));
  return String(headers["webhook-signature"])
    .split(" ")
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

function signatureOf(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}
