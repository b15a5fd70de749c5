import { randomUUID } from "node:crypto";
import { link, lstat, open, readdir, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readLockText } from "./lock-text.js";
import { hasEnded, type Owner, parseOwner } from "./owner.js";
import { lookAtProcess, thisProcess } from "./this-process.js";

/** How often a claim is tried anew where others claim at the same moment. */
const MOST_TRIES = 1_000;
/** How many locks a row may have. Each is of somebody who was killed while taking over. */
const LONGEST_ROW = 1_000;
/** How long nobody takes to write down who claims; see `sweep`. */
const ABANDONED_MS = 60_000;

/** The exclusive right to write a file. */
export interface Claim {
  release(): Promise<void>;
}

/**
 * Claims `file` for this object of this process by the lock file `<file>.lock`; null where somebody else has it who lives,
 * or may live. The folder has to exist. Rejects with the system's error; the file system must have hard links.
 *
 * A lock names its owner and a nonce. It comes into being whole, by `link`. The lock of an owner that has ended is
 * succeeded, not removed: the right to succeed nonce N is `<file>.lock.after-N`, which again only one can link. So owners
 * form a row that begins at the lock, and its last is the one who has the file. Whoever has linked itself to the end
 * looks from the begin once more, since the row may have been shortened meanwhile, and then moves to its begin. Whatever no
 * ledger writes as a lock, a row without an end too, counts as the lock of somebody who may live.
 */
export async function claimFile(file: string): Promise<Claim | null> {
  const owner: Owner = { ...thisProcess(), nonce: randomUUID() };
  const lock = `${file}.lock`;
  const own = `${lock}.new-${owner.nonce}`;
  await writePrivate(own, JSON.stringify(owner));
  try {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const row = await readRow(lock, owner);
      if (row.holder !== null) return null;
      if (!(await linked(own, row.end))) continue;
      const verified = await readRow(lock, owner);
      if (verified.holder?.nonce === owner.nonce) {
        await moveToBegin(lock, verified.path);
        await sweep(lock, owner);
        return { release: () => release(lock, owner) };
      }
      await unlinkIfThere(row.end);
    }
    return null;
  } finally {
    await unlinkIfThere(own);
  }
}

interface Row {
  /** the lock files from the begin, one after the other; the last is the holder's, where there is one */
  path: string[];
  /** the first owner that has not ended; null: the place `end` is free */
  holder: Pick<Owner, "nonce"> | null;
  end: string;
}

/** Of a lock that names nobody. */
const UNKNOWN = { nonce: "" };

async function readRow(lock: string, self: Owner): Promise<Row> {
  const path: string[] = [];
  for (let end = lock; ; ) {
    const text = await readLockText(end);
    if (text === null) return { path, holder: null, end };
    const isEndless = path.includes(end) || path.length === LONGEST_ROW;
    path.push(end);
    const owner = parseOwner(text);
    if (owner === null || isEndless) return { path, holder: UNKNOWN, end };
    if (owner.nonce === self.nonce || !hasEnded(owner, self, lookAtProcess))
      return { path, holder: owner, end };
    end = `${lock}.after-${owner.nonce}`;
  }
}

async function moveToBegin(lock: string, path: readonly string[]): Promise<void> {
  const own = path.at(-1);
  if (own === undefined || own === lock) return;
  await rename(own, lock);
  for (const ended of path.slice(1, -1)) await unlinkIfThere(ended);
}

/**
 * Takes away what claimers left behind that were killed. Only a holder may: what it removes is in no row. What does not even
 * name its owner is no claim: it goes by its age, and one who was only slow then claims anew.
 */
async function sweep(lock: string, self: Owner): Promise<void> {
  const folder = dirname(lock);
  const prefix = basename(lock);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${prefix}.new-`) && !name.startsWith(`${prefix}.after-`)) continue;
    const left = join(folder, name);
    const owner = parseOwner((await readLockText(left)) ?? "");
    const isOver = owner === null ? await isOldFile(left) : hasEnded(owner, self, lookAtProcess);
    if (isOver) await unlinkIfThere(left);
  }
}

/** Of files alone: a ledger leaves nothing else behind. */
async function isOldFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(nullIfMissing);
  return stats?.isFile() === true && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

async function release(lock: string, self: Owner): Promise<void> {
  // Somebody may have removed the lock by hand, and another have claimed the file since.
  if (parseOwner((await readLockText(lock)) ?? "")?.nonce === self.nonce) await unlinkIfThere(lock);
}

/** 0600, whatever the umask. */
async function writePrivate(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Whether `place` was free, and now is a name of `own`. */
async function linked(own: string, place: string): Promise<boolean> {
  try {
    await link(own, place);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function unlinkIfThere(file: string): Promise<void> {
  await unlink(file).catch(nullIfMissing);
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
