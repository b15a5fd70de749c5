import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  argsDigest,
  type Grant,
  type GrantQuery,
  type JsonValue,
  type ReportEvent,
} from "@x/permission-core";
import type { Host } from "../../src/host.js";
import { FileGrantStore } from "../../src/index.js";
import { LedgerStore } from "../../src/ledger-store.js";
import { temporaryFolder } from "./temporary-folder.js";

export interface Bench<Store> {
  store: Store;
  path: string;
  reports: ReportEvent[];
  /** what the ledger's file holds */
  text(): string;
  /** writes the ledger's file by hand */
  write(content: string | Uint8Array): void;
}

/** A store on a ledger of its own, which does not exist yet. */
export function fileStore(): Bench<FileGrantStore> {
  const folder = temporaryFolder();
  const reports: ReportEvent[] = [];
  const store = new FileGrantStore({
    projectDir: join(folder, "project"),
    rootDir: join(folder, "root"),
    onReport: (event) => reports.push(event),
  });
  return bench(store, store.ledgerPath, reports);
}

/** The same on a host of the test's making. */
export function storeOn(
  host: Host,
  path: string = join(temporaryFolder(), "ledger", "grants.json"),
  lockTimeoutMs = 10_000,
): Bench<LedgerStore> {
  const reports: ReportEvent[] = [];
  return bench(new LedgerStore(path, host, (event) => reports.push(event), lockTimeoutMs), path, reports);
}

function bench<Store>(store: Store, path: string, reports: ReportEvent[]): Bench<Store> {
  return {
    store,
    path,
    reports,
    text: () => readFileSync(path, "utf8"),
    write(content) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    },
  };
}

export function query(tool: string, args: JsonValue, nowMs = 1_000): GrantQuery {
  return { tool, args, argsDigest: argsDigest(args), nowMs };
}

/** The text of a ledger entry with a field that we do not know. */
export function foreignEntry(id: string, rest: Partial<Grant> = {}): string {
  const known = { id, tool: "shell", verdict: "Allow", scope: "this_tool", created_at_ms: 5, ...rest };
  return JSON.stringify({ x: 1, ...known });
}
