import { createHmac, timingSafeEqual } from "node:crypto";

/** What a signed message is checked by. */
export interface SignatureRules {
  /** any of these may have signed */
  readonly keys: readonly Uint8Array[];
  /** how far the stamp may be from `nowMs`, in whole seconds, both ways; "off": any distance */
  readonly toleranceSeconds: number | "off";
  readonly nowMs: number;
}

export type Verification =
  | { kind: "genuine"; id: string }
  | { kind: "refused"; why: "unsigned" | "bad_signature" | "stale" };

/** More signatures than anybody rotates through; the rest is not looked at. */
const MOST_SIGNATURES = 20;
const LONGEST_ID = 256;

/**
 * Checks a message by the Standard Webhooks specification 1.0: the signature is over the bytes of the body as they came.
 * Only a message whose signature is right is told that it is stale. How long it takes does not tell how much of a
 * signature was right.
 */
export function verifySignature(
  headers: { get(name: string): string | null },
  body: Uint8Array,
  rules: SignatureRules,
): Verification {
  const id = headers.get("webhook-id");
  const stamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (id === null || stamp === null || signatures === null) return { kind: "refused", why: "unsigned" };
  if (id === "" || id.length > LONGEST_ID || !/^\d{1,12}$/.test(stamp)) {
    return { kind: "refused", why: "unsigned" };
  }
  const given = signatures.split(" ", MOST_SIGNATURES);
  let isGenuine = false;
  for (const key of rules.keys) {
    const expected = `v1,${createHmac("sha256", key).update(`${id}.${stamp}.`).update(body).digest("base64")}`;
    for (const signature of given) {
      const isEqual = isSame(signature, expected);
      isGenuine ||= isEqual;
    }
  }
  if (!isGenuine) return { kind: "refused", why: "bad_signature" };
  if (!isTimely(Number(stamp), rules)) return { kind: "refused", why: "stale" };
  return { kind: "genuine", id };
}

/** Whether the texts are equal, in a time that depends on their lengths only. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function isTimely(stampSeconds: number, { toleranceSeconds, nowMs }: SignatureRules): boolean {
  if (toleranceSeconds === "off") return true;
  return Math.abs(Math.floor(nowMs / 1000) - stampSeconds) <= toleranceSeconds;
}
