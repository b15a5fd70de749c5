import { createGrant } from "@x/permission-core";
import { expect, it } from "vitest";
import { RedisClaimStore, RedisGrantStore, RedisPermissionStore } from "../../src/index.js";
import { query, wide } from "../support/grants.js";
import { sharedServer } from "../support/servers.js";

const { redis } = await sharedServer();

it("takes back what was granted where the server has no room for anything more", async () => {
  const store = new RedisGrantStore(redis, { projectId: "p" });
  const claims = new RedisClaimStore(redis);
  const rules = new RedisPermissionStore(redis);
  const beside = createGrant(wide.tool, "Deny", "this_tool");
  for (const grant of [wide, beside]) await store.save(grant);
  await redis.config("SET", "maxmemory", "1");

  await expect(store.save({ ...wide, note: "new" })).rejects.toMatchObject({ code: "storage" });
  await expect(claims.claim("k", { ttlMs: 1_000 })).rejects.toMatchObject({ code: "storage" });
  expect(await store.revoke(wide.id)).toEqual(wide);
  expect(await store.find(query(wide.tool))).toEqual([beside]);
  expect(await store.load()).toEqual([beside]);
  await rules.forget("session");
  expect(await store.clear()).toBe(1);
});
