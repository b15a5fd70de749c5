import { clientKeyPrefix, type RedisClient } from "@x/redis-scripts";

/**
 * What an ask channel keeps in Redis. Every key and every name of a channel begins with the same base,
 * `<keyPrefix of the client>{<prefix>}:`, and `db<n>:` after it where the client uses another database than 0 (messages are
 * heard in all of them), so that
 *
 * - channels of different prefixes never meet: a prefix has no braces, so no base is the beginning of another;
 * - all keys of a channel share one hash tag: in a Cluster they lie in one slot, and one script may touch an ask, the
 *   index and the claims at once. No crash can leave one without the other. A channel lives on one node; more prefixes
 *   use more nodes.
 *
 * | after the base  | what                                                              | written by | lives                          |
 * | --------------- | ----------------------------------------------------------------- | ---------- | ------------------------------ |
 * | `ask:<id>`      | hash: the ask, who waits for it, on which server, and its state   | workers    | see below                      |
 * | `calls`         | hash: ids of asks that wait, by the name of their call, for a process that parks it again | workers | as the longest ask |
 * | `index`         | sorted set: ids of asks that wait, by park order                  | workers    | as the longest ask             |
 * | `claims`        | sorted set: ids of asks that were consumed, by time, until settled | workers   | `claimMs` after the last       |
 * | `answer:<id>`   | a line (token, repeat tag, signature) and the answer              | approvers  | as the ask |
 * | `approvers`     | sorted set: approvers that are there, by until when               | approvers  | `presenceMs`                   |
 * | `slot`          | nothing: it is named in every call of a script, to find the node  | nobody     |                                |
 *
 * | channel         | says                                                                      |
 * | --------------- | ------------------------------------------------------------------------- |
 * | `asks`          | `+<place> <signature> <ask>` was parked, `-<id as JSON>` waits no more       |
 * | `worker:<name>` | `!<wait>` was answered, `?<wait>`: is it still alive?                     |
 *
 * One message may say several of these, a line each.
 *
 * An ask is `pending` until its answer was consumed, then `claimed` until its call has ended, then `ended`. It lives until
 * its deadline and `endingsMs` beyond; without a deadline `keepMs` after its waiter last refreshed it. Claimed it lives
 * `claimMs`, ended `endingsMs`. Answers are keys of their own, so that Redis's access rules can keep workers from answering.
 *
 * Scripts find all names from `slot`, the one key that they declare.
 */
export interface ChannelNames {
  /** the key to declare; the client puts its own prefix before it */
  readonly slot: string;
  /** as Redis sees it */
  readonly base: string;
}

export function channelNames(redis: RedisClient, prefix: string): ChannelNames {
  const database = databaseOf(redis);
  const own = database === 0 ? `{${prefix}}:` : `{${prefix}}:db${database}:`;
  return { slot: `${own}slot`, base: `${clientKeyPrefix(redis)}${own}` };
}

/** The one that the client is in now, of which its options name the first. A Cluster has but one. */
function databaseOf(redis: RedisClient): number {
  return "condition" in redis ? (redis.condition?.select ?? redis.options.db ?? 0) : 0;
}
