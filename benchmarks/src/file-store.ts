import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FileGrantStore } from "@x/grants-file";
import { argsDigest, createGrant, type Grant, type GrantQuery } from "@x/permission-core";
import { measureAsync, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

const SAVE_GOALS = [
  { grants: 10, times: 2 },
  { grants: 1_000, times: 2.5 },
] as const;
const FIND_GOAL_TIMES = 2;
const DEATH_GOAL_MS = 250;
const DEATHS = 9;

/** What safety costs a save of the file store, whether `find` is flat, and how long a dead holder's lock is in the way. */
export async function runFileStoreBenchmark(): Promise<BenchmarkSection> {
  const folder = await mkdtemp(join(tmpdir(), "grants-benchmark-"));
  try {
    const saves: SaveCost[] = [];
    for (const { grants } of SAVE_GOALS) saves.push(await measureSave(folder, grants));
    const find = await measureFind(folder);
    const deaths = await measureDeaths(folder);
    return {
      title: "Grants in a file",
      notes: [
        "Median time per call, awaited. A save takes the lock, reads, merges, writes, syncs, renames, releases and syncs the folder; it replaces one grant of a ledger that holds so many. The raw write has the same bytes and only writes, syncs, renames and syncs the folder, by the same asynchronous calls.",
        "`find` looks for one call's grant in an unchanged ledger.",
        `The last row is the longest of ${DEATHS} waits, from the killing of a process that holds the lock to the end of another one's save; the median is ${showTime(deaths.median)}.`,
      ],
      table: {
        columns: ["", "time", "ratio"],
        rows: [
          ...saves.flatMap(({ grants, bytes, raw, save }) => [
            [`raw write of ${bytes} bytes`, showTime(raw), ""],
            [`\`save\` among ${grants} grants`, showTime(save), ratio(save, raw)],
          ]),
          ["`find` among 10 grants", showTime(find.few), ""],
          ["`find` among 10,000 grants", showTime(find.many), ratio(find.many, find.few)],
          ["from a holder's death to the next save", showTime(deaths.longest), ""],
        ],
      },
      goals: [
        ...SAVE_GOALS.map(({ grants, times }, index) => {
          const { raw = 0, save = Number.POSITIVE_INFINITY } = saves[index] ?? {};
          return {
            text: `a save among ${grants} grants takes at most ${times} times as long as the raw write`,
            met: save <= times * raw,
          };
        }),
        {
          text: "`find` among 10,000 grants takes at most 2 times as long as among 10",
          met: find.many <= FIND_GOAL_TIMES * find.few,
        },
        {
          text: "the next save is done at most 250 ms after a holder was killed, every time",
          met: deaths.longest <= DEATH_GOAL_MS * 1e6,
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface SaveCost {
  grants: number;
  bytes: number;
  /** nanoseconds */
  raw: number;
  save: number;
}

async function measureSave(folder: string, count: number): Promise<SaveCost> {
  const grants = grantsFor(count);
  const store = await storeWith(folder, `save-${count}`, grants);
  await store.save(grants[0] as Grant);
  const bytes = await readFile(store.ledgerPath);
  const rawPath = join(dirname(store.ledgerPath), "raw.json");
  let next = 0;
  const times = await measureAsync({
    raw: () => rawWrite(rawPath, bytes),
    save: () => store.save(grants[next++ % count] as Grant),
  });
  if (!(await readFile(store.ledgerPath)).equals(bytes)) throw new Error("The saves changed the ledger");
  return { grants: count, bytes: bytes.length, ...times };
}

async function rawWrite(path: string, bytes: Uint8Array): Promise<true> {
  const file = await open(`${path}.tmp`, "w", 0o600);
  await file.writeFile(bytes);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const folder = await open(dirname(path), "r");
  await folder.sync();
  await folder.close();
  return true;
}

async function measureFind(folder: string): Promise<{ few: number; many: number }> {
  const few = await storeWith(folder, "find-10", grantsFor(10));
  const many = await storeWith(folder, "find-10000", grantsFor(10_000));
  // So soon after a change a ledger is read again each time.
  await setTimeout(200);
  const args = argsOf(7);
  const query: GrantQuery = { tool: "shell", args, argsDigest: argsDigest(args), nowMs: 1 };
  const findIn = (store: FileGrantStore) => async () => {
    const [found] = await store.find(query);
    if (found === undefined) throw new Error("The grant was not found");
    return found;
  };
  return measureAsync({ few: findIn(few), many: findIn(many) });
}

/** Stops before the rename of its save, the lock held, and says so. */
const HOLDER = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
fs.promises.rename = () => {
  console.log("holding");
  return new Promise((resolve) => setTimeout(resolve, 3_600_000));
};
syncBuiltinESMExports();
const { FileGrantStore } = await import("@x/grants-file");
const { createGrant } = await import("@x/permission-core");
await new FileGrantStore(JSON.parse(process.argv[1])).save(createGrant("held", "Allow", "this_tool"));
`;

async function measureDeaths(folder: string): Promise<{ median: number; longest: number }> {
  const places = placesIn(folder, "death");
  const store = new FileGrantStore(places);
  const [grant] = grantsFor(1) as [Grant];
  const waits: number[] = [];
  for (let death = 0; death < DEATHS; death++) {
    const holder = spawn(
      process.execPath,
      ["--input-type=module", "--eval", HOLDER, JSON.stringify(places)],
      { cwd: fileURLToPath(new URL("..", import.meta.url)), stdio: ["ignore", "pipe", "inherit"] },
    );
    const exit = once(holder, "exit");
    const started = await Promise.race([once(holder.stdout, "data"), exit.then(() => null)]);
    if (started === null) throw new Error("The holder ended before it held the lock");
    const start = process.hrtime.bigint();
    holder.kill("SIGKILL");
    await store.save(grant);
    waits.push(Number(process.hrtime.bigint() - start));
    await exit;
  }
  waits.sort((left, right) => left - right);
  return { median: waits[DEATHS >> 1] ?? Number.NaN, longest: waits.at(-1) ?? Number.NaN };
}

async function storeWith(folder: string, project: string, grants: readonly Grant[]): Promise<FileGrantStore> {
  const store = new FileGrantStore(placesIn(folder, project));
  await mkdir(dirname(store.ledgerPath), { recursive: true });
  await writeFile(store.ledgerPath, JSON.stringify(grants));
  return store;
}

function placesIn(folder: string, project: string) {
  return { projectDir: join(folder, project), rootDir: join(folder, "root") };
}

function grantsFor(count: number): Grant[] {
  return Array.from({ length: count }, (_, index) =>
    createGrant("shell", "Allow", { this_call: { args: argsOf(index) } }, { createdAtMs: 1 }),
  );
}

function argsOf(index: number) {
  return { command: `npm run test -- --shard ${index}` };
}

function ratio(time: number, base: number): string {
  return `${(time / base).toFixed(2)} ×`;
}
