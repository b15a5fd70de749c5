import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

export interface ClaimerOptions {
  folder: string;
  keys: string[];
  ttlMs: number;
  /** ms for which it begins again with its first key. Default 0: each key once. */
  forMs?: number;
  /** a pause before every file operation of that name: what was found out before may have changed */
  delay?: { before: "rename" | "sync"; ms: number };
  /** it has claimed once before it begins, so that no sweep comes before its first key */
  hasSwept?: boolean;
  lockTimeoutMs?: number;
  /** the user that it becomes where it may */
  user?: number;
  withoutLock?: boolean;
  withoutLink?: boolean;
}

export interface Claim {
  key: string;
  isFirst: boolean;
  /** Unix ms, around the call */
  beforeMs: number;
  afterMs: number;
}

interface Claimed {
  claims: Claim[];
  refusals: { key: string; code: string; message: string }[];
}

type Event =
  | { event: "ready" }
  | ({ event: "claimed" } & Claim)
  | ({ event: "refused" } & Claimed["refusals"][0]);

export interface Claimers {
  readonly processes: readonly ChildProcess[];
  /** all that they said, once all have ended */
  readonly ended: Promise<Claimed>;
}

/**
 * Starts so many processes that claim the same keys on the built package, at once, when all have started and `whenStarted`
 * has ended. Killed when the test ends.
 */
export async function startClaimers(
  count: number,
  options: ClaimerOptions,
  whenStarted: () => Promise<void> = async () => {},
): Promise<Claimers> {
  const program = fileURLToPath(new URL("../fixtures/claimer.mjs", import.meta.url));
  const claimed: Claimed = { claims: [], refusals: [] };
  const started = Array.from({ length: count }, () => {
    const child = fork(program, [JSON.stringify({ forMs: 0, ...options })], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const lines = createInterface({ input: child.stdout as NonNullable<ChildProcess["stdout"]> });
    const ready = new Promise<void>((resolve) => {
      lines.on("line", (line) => {
        const said: Event = JSON.parse(line);
        if (said.event === "ready") resolve();
        else if (said.event === "claimed") claimed.claims.push(said);
        else claimed.refusals.push(said);
      });
    });
    return { child, ready, ended: Promise.all([once(child, "exit"), once(lines, "close")]) };
  });
  await Promise.all(started.map(({ ready }) => ready));
  await whenStarted();
  for (const { child } of started) child.send("go");
  return {
    processes: started.map(({ child }) => child),
    ended: Promise.all(started.map(({ ended }) => ended)).then(() => claimed),
  };
}
