import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { requirePrefix } from "../src/redis-client.js";

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
