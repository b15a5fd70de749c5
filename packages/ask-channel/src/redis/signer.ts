import { createHmac, timingSafeEqual } from "node:crypto";
import { PermissionGateError } from "@x/permission-core";

/** In the place of a signature where there is none. */
export const UNSIGNED = "-";

const SHORTEST_SECRET = 16;

/**
 * Signs what travels over one channel with HMAC-SHA-256, and checks it in constant time. A signature of one channel, of one
 * kind or of one ask is none of another.
 */
export class Signer {
  readonly #channel: string;
  readonly #secrets: readonly Uint8Array[];

  /** The first secret signs, all are accepted; without any, nothing is signed and nothing refused. */
  constructor(channel: string, secrets: readonly (string | Uint8Array)[]) {
    this.#channel = channel;
    this.#secrets = secrets.map(readSecret);
  }

  /** Over all that an ask says. */
  signAsk(text: string): string {
    return this.#sign(["ask", text]);
  }

  isAsk(text: string, signature: string): boolean {
    return this.#isSigned(["ask", text], signature);
  }

  /** Over the ask's id and digest, and all that the answer says. */
  signAnswer(ask: { id: string; args_digest: string }, text: string): string {
    return this.#sign(["answer", ask.id, ask.args_digest, text]);
  }

  isAnswer(ask: { id: string; args_digest: string }, text: string, signature: string): boolean {
    return this.#isSigned(["answer", ask.id, ask.args_digest, text], signature);
  }

  #sign(parts: readonly string[]): string {
    const [secret] = this.#secrets;
    return secret === undefined ? UNSIGNED : this.#code(secret, parts).toString("base64url");
  }

  #isSigned(parts: readonly string[], signature: string): boolean {
    if (this.#secrets.length === 0) return true;
    const given = Buffer.from(signature, "base64url");
    let isSigned = false;
    for (const secret of this.#secrets) {
      const expected = this.#code(secret, parts);
      if (given.length === expected.length && timingSafeEqual(given, expected)) isSigned = true;
    }
    return isSigned;
  }

  /** JSON keeps the parts apart, whatever stands in them. */
  #code(secret: Uint8Array, parts: readonly string[]): Buffer {
    return createHmac("sha256", secret)
      .update(JSON.stringify([this.#channel, ...parts]))
      .digest();
  }
}

function readSecret(secret: string | Uint8Array): Uint8Array {
  const bytes = typeof secret === "string" ? Buffer.from(secret) : secret;
  if (bytes instanceof Uint8Array && bytes.length >= SHORTEST_SECRET) return Uint8Array.from(bytes);
  throw new PermissionGateError("invalid_option", `secret must have ${SHORTEST_SECRET} bytes or more.`);
}
