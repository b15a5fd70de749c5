import { readFileSync, writeFileSync } from "node:fs";
import { grantStoreSuite } from "@x/conformance";
import { createGrant } from "@x/permission-core";
import { afterEach, describe, expect, it } from "vitest";
import { SqliteGrantStore } from "../src/sqlite-grant-store.js";
import { temporaryFile } from "./support/temporary-file.js";

/** The stores of the test that runs, each with its file. */
const open = new Map<SqliteGrantStore, ReturnType<typeof temporaryFile>>();

function create(place = temporaryFile()): SqliteGrantStore {
  const store = new SqliteGrantStore(place.file);
  open.set(store, place);
  return store;
}

afterEach(() => {
  for (const [store, place] of open) {
    store.close();
    place.remove();
  }
  open.clear();
});

describe("a store in a database", () => {
  grantStoreSuite({ it, create: () => create(), reopen: (store) => create(open.get(store)) });
});

describe("a store in a database that was laid out and used before", () => {
  grantStoreSuite({
    it,
    async create() {
      const store = create();
      await store.save(createGrant("earlier", "Allow", "this_tool"));
      await store.clear();
      return create(open.get(store));
    },
  });
});

it("rejects with code storage when the database is closed, and with bad_record what is no grant", async () => {
  const store = create();
  const grant = createGrant("read", "Allow", "this_tool");
  await expect(store.save({ ...grant, created_at_ms: -1 })).rejects.toMatchObject({ code: "bad_record" });
  expect(await store.load()).toEqual([]);
  store.close();
  await expect(store.save(grant)).rejects.toMatchObject({ code: "storage" });
  await expect(store.load()).rejects.toMatchObject({ code: "storage" });
});

it("rejects with code storage when a record is no grant any more", async () => {
  const place = temporaryFile();
  const store = create(place);
  await store.save(createGrant("read", "Allow", "this_tool", { note: "spoil me" }));
  const bytes = readFileSync(place.file, "latin1");
  writeFileSync(place.file, bytes.replace('"verdict":"Allow"', '"verdict":"Maybe"'), "latin1");
  await expect(create(place).load()).rejects.toMatchObject({ code: "storage" });
});

it("is written in fewer than 60 lines", () => {
  const source = readFileSync(new URL("../src/sqlite-grant-store.ts", import.meta.url), "utf8");
  const lines = source.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThan(60);
});
