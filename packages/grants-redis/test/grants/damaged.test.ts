import { grantText } from "@x/permission-core/stores";
import { beforeEach, describe, expect, it } from "vitest";
import { RedisGrantStore } from "../../src/index.js";
import { narrow, other, query, wide } from "../support/grants.js";
import { sharedServer } from "../support/servers.js";

const { redis } = await sharedServer();

const KEY = "permission-gate:{p}:grants";
const damaged = { code: "ledger_damaged", message: expect.stringContaining(KEY) };
let store: RedisGrantStore;
beforeEach(async () => {
  await redis.flushall();
  store = new RedisGrantStore(redis, { projectId: "p" });
  for (const grant of [wide, narrow, other]) await store.save(grant);
});

/** The value of the field in which the grant lies. */
const recordOf = async (id: string) => (await redis.hget(KEY, `e${id}`)) ?? "";
/** The field of the list that names the grant. */
const listOf = async (id: string) => (await recordOf(id)).split(" ")[1] ?? "";

/** Ways to damage what is looked up for a call of `read`. */
const DAMAGES: Record<string, () => Promise<unknown>> = {
  "a record without a place": () => redis.hset(KEY, `e${wide.id}`, grantText(wide)),
  "an empty record": () => redis.hset(KEY, `e${wide.id}`, ""),
  "a text that is no JSON": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("{", "")),
  "a grant with a verdict that there is not": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("Allow", "Maybe")),
  "a grant for another tool": async () =>
    redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace('"read"', '"write"')),
  "a grant that a list names and that is gone": () => redis.hdel(KEY, `e${wide.id}`),
  "a list that is no JSON": async () => redis.hset(KEY, await listOf(wide.id), "read"),
  "a list that is no list": async () => redis.hset(KEY, await listOf(wide.id), "7"),
  "a list that is an object": async () => redis.hset(KEY, await listOf(wide.id), '{"a":"b"}'),
  "a list that names nothing": async () => redis.hset(KEY, await listOf(wide.id), "[]"),
  "a list of what are no ids": async () => redis.hset(KEY, await listOf(wide.id), "[true]"),
  "a list that names a grant of another": async () =>
    redis.hset(KEY, await listOf(wide.id), JSON.stringify([wide.id, other.id])),
  "another kind of key": () => redis.multi().del(KEY).rpush(KEY, "grants").exec(),
};

describe("a ledger that holds what its store did not put there", () => {
  it.each(Object.keys(DAMAGES))("answers no look-up and lists nothing: %s", async (name) => {
    await DAMAGES[name]?.();
    await expect(store.find(query("read", { path: "/etc" }))).rejects.toMatchObject(damaged);
    await expect(store.load()).rejects.toMatchObject(damaged);
  });

  it.each([
    [
      "an entry that no list names",
      () => redis.hset(KEY, "enew", `9 c0:every ${grantText({ ...wide, id: "new" })}`),
    ],
    ["an entry under another id", async () => redis.hset(KEY, "enew", await recordOf(wide.id))],
    ["a field that is not known", () => redis.hset(KEY, "later", "1")],
    ["a list without what it named", async () => redis.hdel(KEY, await listOf(narrow.id))],
  ] as const)("lists nothing: %s", async (_, damage) => {
    await damage();
    await expect(store.load()).rejects.toMatchObject(damaged);
  });

  it("is not written over where it must be read first", async () => {
    await redis.hset(KEY, `e${wide.id}`, "junk");
    await expect(store.save(wide)).rejects.toMatchObject(damaged);
    await expect(store.revoke(wide.id)).rejects.toMatchObject(damaged);
    expect(await recordOf(wide.id)).toBe("junk");
    await redis.multi().del(KEY).set(KEY, "mine").exec();
    for (const write of [store.save(wide), store.revoke(wide.id)])
      await expect(write).rejects.toMatchObject(damaged);
    expect(await redis.get(KEY)).toBe("mine");
  });

  it.each([
    ["a verdict that there is not", (record: string) => record.replace("Allow", "Axlow")],
    ["a text that is cut short", (record: string) => record.slice(0, -5)],
    ["the text of another grant", (record: string) => record.replace(wide.id, other.id)],
    ["another list than its own", (record: string) => record.replace(" c", " c0")],
    ["a text with a field twice", (record: string) => record.replace("{", '{"verdict":"Deny",')],
    ["no place", (record: string) => record.replace(/^\d+ /, "")],
  ])(
    "is written over and deleted by none but clear(), which keeps it: an entry with %s",
    async (_, spoil) => {
      const spoilt = spoil(await recordOf(wide.id));
      await redis.hset(KEY, `e${wide.id}`, spoilt);
      const before = (await redis.dumpBuffer(KEY)).toString("hex");
      for (const mine of [store, new RedisGrantStore(redis, { projectId: "p" })]) {
        for (const write of [mine.save(wide), mine.save({ ...wide, note: "new" }), mine.revoke(wide.id)])
          await expect(write).rejects.toMatchObject(damaged);
      }
      expect((await redis.dumpBuffer(KEY)).toString("hex")).toBe(before);
      // What is sound beside it can be changed still.
      expect(await store.revoke(other.id)).toEqual(other);
      expect(await store.clear()).toBe(0);
      const [aside = ""] = await redis.keys(`${KEY}:damaged-*`);
      expect(await redis.hget(aside, `e${wide.id}`)).toBe(spoilt);
    },
  );

  it.each(["x", "-5", "9007199254740991", "9999999999999999", "9223372036854775806", "9223372036854775807"])(
    "stays as readable as it was where a save finds %s for the number of the last place",
    async (last) => {
      await redis.hset(KEY, "n", last);
      const before = await redis.hgetall(KEY);
      await expect(store.save({ ...wide, id: "new" })).rejects.toMatchObject(damaged);
      expect(await redis.hgetall(KEY)).toEqual(before);
      expect(await store.load()).toEqual([wide, narrow, other]);
      await store.save({ ...wide, note: "replaced" });
      expect(await store.revoke(narrow.id)).toEqual(narrow);
      expect(await store.load()).toEqual([{ ...wide, note: "replaced" }, other]);
    },
  );

  it.each(["{}", '{"a":"b"}', "[7]", "7", "["])("has no list written over that is %s", async (list) => {
    const field = await listOf(wide.id);
    await redis.hset(KEY, field, list);
    await expect(store.revoke(wide.id)).rejects.toMatchObject(damaged);
    await expect(store.save({ ...wide, id: "new" })).rejects.toMatchObject(damaged);
    expect(await redis.hget(KEY, field)).toBe(list);
    expect(await redis.hexists(KEY, "enew")).toBe(0);
  });

  it("is not mended by a save whose list names it already although it is gone", async () => {
    await redis.hdel(KEY, `e${wide.id}`);
    const before = await redis.hgetall(KEY);
    await expect(store.save(wide)).rejects.toMatchObject(damaged);
    expect(await redis.hgetall(KEY)).toEqual(before);
  });

  it("keeps a grant that its list does not name", async () => {
    await redis.hset(KEY, await listOf(wide.id), "[]");
    await expect(store.revoke(wide.id)).rejects.toMatchObject(damaged);
    expect(await redis.hexists(KEY, `e${wide.id}`)).toBe(1);
  });

  it("revokes no other grant than the one named: half a character names none", async () => {
    await store.save({ ...wide, id: "\ufffd" });
    expect(await store.revoke("\ud800")).toBeNull();
    expect(await store.revoke("\ufffd")).toMatchObject({ id: "\ufffd" });
  });

  it.each([
    ["another kind of key", () => redis.multi().del(KEY).set(KEY, "mine").exec()],
    ["a record without a place", () => redis.hset(KEY, `e${wide.id}`, "junk")],
    [
      "an entry that no list names",
      () => redis.hset(KEY, "enew", `9 c0:every ${grantText({ ...wide, id: "new" })}`),
    ],
    ["a field that is not known", () => redis.hset(KEY, "later", "1")],
    ["a list that is no JSON", async () => redis.hset(KEY, await listOf(wide.id), "read")],
  ] as const)(
    "is kept under another key by clear(), which gives 0, and the store goes on: %s",
    async (_, damage) => {
      await damage();
      const before = await redis.dump(KEY);
      expect(await store.clear()).toBe(0);
      expect(await store.load()).toEqual([]);
      const [aside = "", ...others] = await redis.keys(`${KEY}:damaged-*`);
      expect(others).toEqual([]);
      expect(await redis.dump(aside)).toEqual(before);
      await store.save(wide);
      expect(await store.find(query("read"))).toEqual([wide]);
    },
  );

  it.each([1_001, 5_000])("counts as sound where an unknown field is nested %i deep", async (depth) => {
    const field = `,"later":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    await store.saveText(grantText(wide).replace(/}$/, field));
    expect(await store.load()).toHaveLength(3);
    await store.save(wide);
    await store.saveText(grantText(wide).replace(/}$/, field));
    expect(await store.revoke(wide.id)).toEqual(wide);
    await store.saveText(grantText(wide).replace(/}$/, field));
    expect(await store.clear()).toBe(3);
    expect(await redis.keys(`${KEY}*damaged*`)).toEqual([]);
  });

  it.each([
    ["half a character", grantText(wide).replace(wide.id, "\ud800"), "not_json"],
    ["a byte order mark", `\ufeff${grantText(wide)}`, "bad_json"],
    ["a blank that JSON does not know", `${grantText(wide)}\u00a0`, "bad_json"],
  ])("saves no text with %s, which would come back as another", async (_, text, code) => {
    await expect(store.saveText(text)).rejects.toMatchObject({ code });
    await store.saveText(` ${grantText(wide)}\n`);
    expect(await store.loadTexts()).toEqual([wide, narrow, other].map(grantText));
  });

  it("gives the texts of its entries, also of those that are no grants", async () => {
    await redis.hset(KEY, `e${wide.id}`, (await recordOf(wide.id)).replace("Allow", "Maybe"));
    expect(await store.loadTexts()).toEqual([
      grantText(wide).replace("Allow", "Maybe"),
      grantText(narrow),
      grantText(other),
    ]);
    await redis.hset(KEY, `e${wide.id}`, "junk");
    await expect(store.loadTexts()).rejects.toMatchObject(damaged);
  });
});
