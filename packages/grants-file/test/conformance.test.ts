import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { grantStoreSuite } from "@x/conformance";
import { describe, it } from "vitest";
import { FileGrantStore } from "../src/index.js";
import { temporaryFolder } from "./support/temporary-folder.js";

const optionsOf = new WeakMap<FileGrantStore, { projectDir: string; rootDir: string }>();

function create(): FileGrantStore {
  const folder = temporaryFolder();
  const options = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
  const store = new FileGrantStore(options);
  optionsOf.set(store, options);
  return store;
}

function reopen(store: FileGrantStore): FileGrantStore {
  const options = optionsOf.get(store);
  if (options === undefined) throw new Error("this store was not made here");
  return new FileGrantStore(options);
}

describe("a file store", () => {
  grantStoreSuite({ it, create, reopen });
});

describe("a file store whose ledger is a symbolic link to a laid-out file", () => {
  grantStoreSuite({
    it,
    create() {
      const store = create();
      const target = join(dirname(store.ledgerPath), "..", "mine.json");
      mkdirSync(dirname(store.ledgerPath), { recursive: true });
      writeFileSync(target, "\n[\n]\n");
      symlinkSync(target, store.ledgerPath);
      return store;
    },
    reopen,
  });
});
