import { displaySafe, PermissionGateError } from "@x/permission-core";

/** The reply as a list of texts. Throws code `storage` for any other: then what runs is not this package's script. */
export function textsOf(reply: unknown, script: string): string[] {
  if (!Array.isArray(reply)) throw unknownReply(script);
  return reply.map((item) => textOf(item, script));
}

/** The reply as a list of `count` lists of texts, the first of which says what each is. */
export function repliesOf(reply: unknown, count: number, script: string): string[][] {
  if (!Array.isArray(reply) || reply.length !== count) throw unknownReply(script);
  return reply.map((item) => textsOf(item, script));
}

function textOf(reply: unknown, script: string): string {
  if (typeof reply === "string") return reply;
  if (typeof reply === "number") return String(reply);
  throw unknownReply(script);
}

/** For the reply `failed`: the keys of one ask are not what they should be. */
export function failedReply(why: string, script: string): PermissionGateError {
  return new PermissionGateError(
    "storage",
    `Redis could not run the script ${script} on an ask: ${displaySafe(why).text}`,
  );
}

/** How errors begin that tell of the server, which may not write at the moment, rather than of what stands there. */
const CANNOT_WRITE = /^(?:MISCONF|NOREPLICAS|OOM|READONLY) /;

/**
 * What is wrong with the keys of one ask, for the reply `failed`. Throws it where it is the server that cannot write, which
 * passes, as where Redis is out of reach.
 */
export function damageOf(why: string, script: string): PermissionGateError {
  const error = failedReply(why, script);
  if (CANNOT_WRITE.test(why)) throw error;
  return error;
}

export function unknownReply(script: string): PermissionGateError {
  return new PermissionGateError(
    "storage",
    `Redis gave an unknown reply to the script ${script}: see what else writes to these keys.`,
  );
}
