import { expect, it } from "vitest";
import * as surface from "../src/index.js";

it("exports three classes, with these members", () => {
  expect(Object.keys(surface).sort()).toEqual(["RedisClaimStore", "RedisGrantStore", "RedisPermissionStore"]);
  const membersOf = (made: { prototype: object }) =>
    Object.getOwnPropertyNames(made.prototype).filter((name) => name !== "constructor");
  expect(membersOf(surface.RedisGrantStore).sort()).toEqual([
    "clear",
    "close",
    "find",
    "load",
    "loadTexts",
    "revoke",
    "save",
    "saveText",
  ]);
  expect(membersOf(surface.RedisClaimStore)).toEqual(["claim"]);
  expect(membersOf(surface.RedisPermissionStore)).toEqual(["record", "rules", "forget"]);
});
