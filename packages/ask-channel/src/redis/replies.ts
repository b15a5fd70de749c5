import { PermissionGateError } from "@x/permission-core";

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
  return new PermissionGateError("storage", `Redis could not run the script ${script} on an ask: ${why}`);
}

export function unknownReply(script: string): PermissionGateError {
  return new PermissionGateError(
    "storage",
    `Redis gave an unknown reply to the script ${script}: see what else writes to these keys.`,
  );
}
