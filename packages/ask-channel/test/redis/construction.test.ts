import { PermissionGateError } from "@x/permission-core";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import {
  RedisApprover,
  RedisAskResolver,
  RedisCallbackStore,
  type RedisChannelOptions,
} from "../../src/redis/index.js";

function unconnected(): Redis {
  const redis = new Redis({ lazyConnect: true });
  onTestFinished(() => redis.disconnect());
  return redis;
}

/** What a constructor throws. */
function refusalOf(construct: () => unknown): unknown {
  try {
    construct();
  } catch (error) {
    return error;
  }
  return null;
}

const asOption = "Give a client of ioredis, Redis or Cluster, as `redis`, one of the options.";

it.each<[string, (redis: Redis) => unknown]>([
  ["a client in the place of the options", (redis) => redis],
  ["no options", () => undefined],
  ["options without a client", () => ({ prefix: "p" })],
  ["the options of a client", () => ({ redis: { host: "127.0.0.1" } })],
  ["a URL", () => ({ redis: "redis://127.0.0.1" })],
])("both sides say what to give where they are given %s", (_, given) => {
  const options = given(unconnected()) as RedisChannelOptions;
  for (const Side of [RedisAskResolver, RedisApprover]) {
    const refusal = refusalOf(() => new Side(options));
    expect(refusal).toBeInstanceOf(PermissionGateError);
    expect(refusal).toMatchObject({ code: "invalid_option", message: asOption });
  }
});

it.each<[string, (redis: Redis) => unknown]>([
  ["a client among options", (redis) => ({ redis })],
  ["nothing", () => undefined],
])("a store of callbacks says what to give where it is given %s", (_, given) => {
  expect(refusalOf(() => new RedisCallbackStore(given(unconnected()) as Redis))).toMatchObject({
    code: "invalid_option",
    message: "Give a client of ioredis, Redis or Cluster, as the first argument.",
  });
});

it.each(["approve", "", true, undefined, null])(
  "an answer that is none is told what one is: %j",
  async (answer) => {
    const approver = new RedisApprover({ redis: unconnected(), onReport: () => {} });
    await expect(
      approver.answer({ id: "A", args_digest: "d" }, answer as unknown as "Approve"),
    ).rejects.toMatchObject({
      code: "bad_record",
      message: 'answer: is neither "Approve", "Deny" nor an object',
    });
  },
);
