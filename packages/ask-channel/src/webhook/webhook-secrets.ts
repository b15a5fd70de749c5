import { invalidOption } from "./check-options.js";

const PREFIX = "whsec_";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The first signs tokens; all sign messages; what any of them signed is taken. */
export type SecretKeys = readonly [Uint8Array, ...Uint8Array[]];

/** The fewest bytes that the Standard Webhooks specification allows. */
const FEWEST_BYTES = 24;

/**
 * The keys of `secrets`, in their order: base64 of 24 bytes or more, with or without `whsec_` before it. Throws code
 * `invalid_option` for none and for what is no secret; the message does not repeat it.
 */
export function secretKeys(secrets: readonly string[]): SecretKeys {
  const [first, ...others] = Array.isArray(secrets) ? secrets.map(keyOf) : [];
  if (first === undefined) throw invalidOption("secrets must be a list of one secret or more");
  return [first, ...others];
}

function keyOf(secret: unknown, index: number): Uint8Array {
  const text = typeof secret === "string" ? secret.slice(secret.startsWith(PREFIX) ? PREFIX.length : 0) : "";
  const key = BASE64.test(text) ? Buffer.from(text, "base64") : Buffer.alloc(0);
  if (key.length >= FEWEST_BYTES) return key;
  throw invalidOption(`secrets[${index}] must be base64 of ${FEWEST_BYTES} bytes or more, after "${PREFIX}"`);
}
