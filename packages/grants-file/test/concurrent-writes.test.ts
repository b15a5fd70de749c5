import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGrant, type Grant } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { type FileSystem, nodeHost } from "../src/host.js";
import { FileGrantStore } from "../src/index.js";
import { Turns } from "../src/turns.js";
import { hostWith, systemError } from "./support/hosts.js";
import { fileStore, storeOn } from "./support/stores.js";

const grants = Array.from({ length: 60 }, (_, index) => createGrant(`tool-${index}`, "Allow", "this_tool"));
const tools = (found: Grant[]) => found.map(({ tool }) => tool);

describe("writes of one process at the same time", () => {
  it("lose nothing and keep the order in which they were asked for", async () => {
    const { store } = fileStore();
    await Promise.all(grants.map((grant) => store.save(grant)));
    expect(tools(await store.load())).toEqual(tools(grants));
  });

  it("keep that order also when the system is slow to say what the ledger's real name is", async () => {
    const waits = [30, 10, 1];
    const realpath = async (path: string) => {
      await new Promise((resolve) => setTimeout(resolve, waits.shift() ?? 0));
      return nodeHost.files.realpath(path);
    };
    const { store } = storeOn(hostWith({ realpath: realpath as FileSystem["realpath"] }));
    const few = grants.slice(0, 3);
    await Promise.all(few.map((grant) => store.save(grant)));
    expect(tools(await store.load())).toEqual(tools(few));
  });

  it("lose nothing through several stores that name one ledger differently, its folders still missing", async () => {
    const { store, path } = fileStore();
    const folder = dirname(dirname(dirname(dirname(path))));
    symlinkSync(folder, join(folder, "link"));
    const options = { projectDir: join(folder, "project") };
    const stores = [
      store,
      new FileGrantStore({ ...options, rootDir: join(folder, "root") }),
      new FileGrantStore({ ...options, rootDir: join(folder, "link", "root") }),
    ];
    await Promise.all(grants.map((grant, index) => stores[index % 3]?.save(grant)));
    expect(tools(await store.load()).sort()).toEqual(tools(grants).sort());
  });

  it("go on after one that failed", async () => {
    let refusals = 1;
    const host = hostWith({
      rename: async (from, to) => {
        if (refusals-- > 0) throw systemError("EIO");
        await nodeHost.files.rename(from, to);
      },
    });
    const { store } = storeOn(host);
    const [first, second, third] = grants as [Grant, Grant, Grant];
    const saves = [store.save(first), store.save(second), store.revoke(second.id), store.save(third)];
    const outcomes = await Promise.allSettled(saves);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "fulfilled"]);
    expect(tools(await store.load())).toEqual(["tool-2"]);
  });

  it("leave reads whole: each sees some of the saves, in order", async () => {
    const { store } = fileStore();
    const saves = grants.slice(0, 20).map((grant) => store.save(grant));
    const reads = Array.from({ length: 20 }, async () => {
      const seen: number[] = [];
      for (let round = 0; round < 5; round++) seen.push((await store.load()).length);
      return seen;
    });
    for (const seen of await Promise.all(reads)) expect(seen).toEqual([...seen].sort((a, b) => a - b));
    await Promise.all(saves);
    expect(await store.load()).toHaveLength(20);
  });

  it("count every grant once when clear runs among them", async () => {
    const { store } = fileStore();
    const counts: Promise<number>[] = [];
    for (const [index, grant] of grants.slice(0, 30).entries()) {
      void store.save(grant);
      if (index % 7 === 0) counts.push(store.clear());
    }
    const cleared = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    expect(cleared + (await store.clear())).toBe(30);
  });
});

describe("Turns", () => {
  it("lets work under other keys pass", async () => {
    const turns = new Turns();
    const order: string[] = [];
    let release = () => {};
    const held = turns.take("a", () => new Promise<void>((resolve) => (release = resolve)));
    const waiting = turns.take("a", async () => order.push("a"));
    await turns.take("b", async () => order.push("b"));
    release();
    await Promise.all([held, waiting]);
    expect(order).toEqual(["b", "a"]);
  });
});
