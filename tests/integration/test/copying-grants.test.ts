import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileGrantStore } from "@x/grants-file";
import { RedisGrantStore } from "@x/grants-redis";
import {
  argsDigest,
  copyGrants,
  createGrant,
  type Grant,
  type GrantQuery,
  type GrantScope,
  type JsonValue,
  MemoryGrantStore,
} from "@x/permission-core";
import { grantText } from "@x/permission-core/stores";
import { RedisProcess } from "@x/redis-server";
import * as fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const wide: Grant = createGrant("read", "Allow", "this_tool", { createdAtMs: 1 });
const narrow: Grant = createGrant(
  "read",
  "Deny",
  { this_call: { args: { path: "/etc" } } },
  { createdAtMs: 2 },
);

function query(tool: string, args: JsonValue = {}): GrantQuery {
  return { tool, args, argsDigest: argsDigest(args), nowMs: 10 };
}

let server: RedisProcess;
let redis: Redis;
beforeAll(async () => {
  server = await RedisProcess.start();
  redis = new Redis({ port: server.port });
});
afterAll(async () => {
  redis.disconnect();
  await server.close();
});

function fileStore(text?: string): FileGrantStore {
  const folder = mkdtempSync(join(tmpdir(), "grants-redis-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = new FileGrantStore({ projectDir: folder, rootDir: join(folder, "root"), onReport: () => {} });
  if (text !== undefined) {
    mkdirSync(dirname(store.ledgerPath), { recursive: true });
    writeFileSync(store.ledgerPath, text);
  }
  return store;
}

let projects = 0;
function redisStore(onReport: (event: { message: string }) => void = () => {}): RedisGrantStore {
  projects += 1;
  return new RedisGrantStore(redis, { projectId: `project ${projects}`, onReport });
}

const textOf = (store: FileGrantStore) => readFileSync(store.ledgerPath, "utf8");

/** One without its other half: no JSON that travels has it. */
const SURROGATE = /\p{Surrogate}/u;
const unicode = fc.string({ unit: "binary", maxLength: 8 }).filter((text) => !SURROGATE.test(text));
const scope: fc.Arbitrary<GrantScope> = fc.oneof(
  fc.constant<GrantScope>("this_tool"),
  fc.jsonValue({ maxDepth: 3 }).map((args) => ({ this_call: { args: args as JsonValue } })),
);
const grants: fc.Arbitrary<Grant[]> = fc.array(
  fc
    .record({
      tool: unicode,
      verdict: fc.constantFrom("Allow" as const, "Deny" as const),
      scope,
      createdAtMs: fc.nat(),
      note: fc.option(unicode, { nil: undefined }),
      expiresAtMs: fc.option(fc.nat(), { nil: undefined }),
      id: fc.option(unicode, { nil: undefined }),
    })
    .filter(
      ({ scope }) => !SURROGATE.test(JSON.stringify(scope)) && !/\\ud[89a-f]/.test(JSON.stringify(scope)),
    )
    .map(({ tool, verdict, scope, createdAtMs, note, expiresAtMs, id }) => ({
      ...createGrant(tool, verdict, scope, {
        createdAtMs,
        ...(note !== undefined && { note }),
        ...(expiresAtMs !== undefined && { expiresAtMs }),
      }),
      ...(id !== undefined && { id }),
    })),
  { minLength: 1, maxLength: 8 },
);

describe("a ledger that is copied from a file to Redis and back", () => {
  it("is byte for byte what it was, through memory too, whatever this library wrote in it", async () => {
    await fc.assert(
      fc.asyncProperty(grants, async (saved) => {
        const file = fileStore();
        for (const grant of saved) await file.save(grant);
        const [inRedis, inMemory, back] = [redisStore(), new MemoryGrantStore(), fileStore()];
        await copyGrants(file, inRedis);
        expect(await inRedis.load()).toEqual(await file.load());
        await copyGrants(inRedis, inMemory);
        await copyGrants(inMemory, back);
        expect(textOf(back)).toBe(textOf(file));
      }),
      { numRuns: 40 },
    );
  });

  it("keeps fields and numbers that are not known here, and what each entry covers", async () => {
    const foreign = `{"x":1.0,${grantText(wide).slice(1)}`;
    const inexact = grantText({ ...narrow, id: "inexact" }).replace('"/etc"', "1.0");
    const file = fileStore(`[${foreign},${inexact},${grantText(narrow)}]`);
    const reports: string[] = [];
    const inRedis = redisStore(({ message }) => reports.push(message));
    const back = fileStore();
    expect(await copyGrants(file, inRedis)).toEqual({ copied: 3, losses: [] });
    await copyGrants(inRedis, back);
    expect(textOf(back)).toBe(textOf(file));
    expect((await inRedis.find(query("read", { path: 1 }))).map(({ id }) => id)).toEqual([wide.id]);
    expect(reports).toEqual([expect.stringContaining("inexact of project")]);
    const again: string[] = [];
    const opened = new RedisGrantStore(redis, {
      projectId: inRedis.projectId,
      onReport: ({ message }) => again.push(message),
    });
    for (let round = 0; round < 3; round += 1) await opened.find(query("elsewhere"));
    expect(again).toEqual([expect.stringContaining("inexact of project")]);
    expect(await inRedis.revoke("inexact")).toMatchObject({ id: "inexact" });
    expect(await inRedis.loadTexts()).toEqual([foreign, grantText(narrow)]);
  });

  it("replaces an entry that covers nothing by one that covers its call, and the other way round", async () => {
    const exact = { ...narrow, id: "one" };
    const inexact = grantText(exact).replace('"/etc"', "1.0");
    const store = redisStore();
    await store.saveText(inexact);
    await store.save(exact);
    expect(await store.find(query("read", { path: "/etc" }))).toEqual([exact]);
    await store.saveText(inexact);
    expect(await store.find(query("read", { path: "/etc" }))).toEqual([]);
    expect(await store.loadTexts()).toEqual([inexact]);
  });

  it("is copied not at all where an entry cannot be carried, which is named", async () => {
    const damaged = grantText(wide).replace("Allow", "Maybe");
    const file = fileStore(`[${grantText(narrow)},${damaged}]`);
    const inRedis = redisStore();
    await expect(copyGrants(file, inRedis)).rejects.toMatchObject({
      code: "bad_record",
      message: expect.stringContaining(`${wide.id} is no grant`),
    });
    expect(await inRedis.load()).toEqual([]);
    expect(await copyGrants(file, inRedis, { lossy: true })).toMatchObject({
      copied: 1,
      losses: [{ id: wide.id, entry: 2, what: "left out" }],
    });
    expect(await inRedis.load()).toEqual([narrow]);
  });

  it("cannot be copied from a file that does not parse", async () => {
    const file = fileStore(`[${grantText(narrow)},`);
    for (const lossy of [false, true])
      await expect(copyGrants(file, redisStore(), { lossy })).rejects.toMatchObject({
        code: "ledger_damaged",
      });
  });
});

describe("saveText()", () => {
  it.each([
    ["{", "bad_json"],
    ["{}", "bad_record"],
    [grantText(wide).replace('"read"', '"\\ud800"'), "not_json"],
    [grantText(wide).replace('"read"', '"\ud800"'), "not_json"],
    [grantText(wide).replace("{", '{"id":"twice",'), "bad_record"],
  ])("refuses %j and writes nothing", async (text, code) => {
    const store = redisStore();
    await expect(store.saveText(text)).rejects.toMatchObject({ code });
    expect(await store.loadTexts()).toEqual([]);
  });
});
