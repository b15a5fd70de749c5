import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import {
  RedisClaimStore,
  RedisGrantStore,
  type RedisGrantStoreOptions,
  RedisPermissionStore,
} from "../src/index.js";

function unconnected(): Redis {
  const redis = new Redis({ lazyConnect: true });
  onTestFinished(() => redis.disconnect());
  return redis;
}

const asFirst = "Give a client of ioredis, Redis or Cluster, as the first argument.";

it("a client among the options is refused, and told where it belongs", () => {
  const options = { redis: unconnected(), projectId: "p" };
  for (const Store of [RedisClaimStore, RedisPermissionStore, RedisGrantStore]) {
    const construct = () => new (Store as new (redis: unknown) => unknown)(options);
    expect(construct).toThrow(expect.objectContaining({ code: "invalid_option", message: asFirst }));
  }
});

it.each<[string, unknown]>([
  ["no options", undefined],
  ["neither", {}],
  ["both", { projectId: "a", projectDir: "/tmp" }],
  ["an id that is undefined", { projectId: undefined }],
])("grants of one project need its folder or its id: %s", (_, options) => {
  const construct = () => new RedisGrantStore(unconnected(), options as RedisGrantStoreOptions);
  expect(construct).toThrow(
    expect.objectContaining({
      code: "invalid_option",
      message: "give projectDir or projectId, and not both",
    }),
  );
});
