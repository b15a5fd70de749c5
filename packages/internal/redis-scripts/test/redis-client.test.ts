import { RedisProcess, TcpProxy } from "@x/redis-server";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { lastingDuplicate, requirePrefix } from "../src/redis-client.js";

it.each([
  ["nothing", "", undefined],
  ["more than 200 characters", "p".repeat(201), undefined],
  ["a brace", "a{b", undefined],
  ["a brace in the client's keyPrefix", "p", "}"],
  ["half a character", "p\ud800", undefined],
  ["half a character in the client's keyPrefix", "p", "\udfff"],
])("a prefix is refused that has %s", (_, prefix, keyPrefix) => {
  const redis = new Redis({ lazyConnect: true, ...(keyPrefix !== undefined && { keyPrefix }) });
  expect(() => requirePrefix(prefix, redis)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  redis.disconnect();
});

it("a prefix is taken that has anything else", () => {
  const redis = new Redis({ lazyConnect: true });
  for (const prefix of ["p", "a b:*\n\0", "😀", "é".repeat(200)])
    expect(requirePrefix(prefix, redis)).toBe(prefix);
  redis.disconnect();
});

it("a lasting connection leaves no rejection behind that is ended as soon as it is there again", async () => {
  await using server = await RedisProcess.start();
  await using proxy = await TcpProxy.start(server);
  const rejected: unknown[] = [];
  const onRejection = (reason: unknown) => void rejected.push(reason);
  process.on("unhandledRejection", onRejection);
  onTestFinished(() => void process.off("unhandledRejection", onRejection));
  const redis = new Redis({ port: proxy.port, lazyConnect: true });
  const own = lastingDuplicate(redis, () => {});
  await own.subscribe("news");
  own.once("ready", () => {
    proxy.dropReplies();
    own.disconnect();
  });
  const ended = new Promise((resolve) => own.once("end", resolve));
  proxy.cut();
  await ended;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(rejected).toEqual([]);
});
