import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FileGrantStore } from "../../src/index.js";
import { startWriter, type Writer, type WriterOptions } from "./writers.js";

export interface CrowdOptions {
  processes: number;
  grantsEach: number;
  crash?: WriterOptions["crash"];
  /** until so many processes have died in takeover, whoever starts will most likely die in its first; default 0 */
  deathsInTakeover?: number;
  /** kill a process from outside each time so many grants were saved; 0: never */
  killEvery: number;
  withoutLock?: boolean;
}

export interface CrowdResult {
  /** ids whose save was fulfilled */
  acknowledged: string[];
  /** those of them that were not in the ledger at some later moment */
  lost: Set<string>;
  crashes: { lock: number; commit: number; takeover: number };
  killed: number;
  /** the longest time between two saves of anybody, in milliseconds */
  longestPauseMs: number;
}

/** Of one operation; a takeover has four or five. */
const MOST_LIKELY = 0.5;

/**
 * Lets many processes save to one ledger until each has saved all its grants, started again as often as they die. After
 * every save and every death the ledger is read: it must parse, and hold everything that was acknowledged before.
 */
export async function runCrowd(folder: string, options: CrowdOptions): Promise<CrowdResult> {
  const places = { projectDir: join(folder, "project"), rootDir: join(folder, "root") };
  const { ledgerPath } = new FileGrantStore(places);
  const result: CrowdResult = {
    acknowledged: [],
    lost: new Set(),
    crashes: { lock: 0, commit: 0, takeover: 0 },
    killed: 0,
    longestPauseMs: 0,
  };
  const running = new Set<Writer>();
  let lastSaveMs: number | null = null;

  const inspect = () => {
    const entries: { id: string }[] = existsSync(ledgerPath)
      ? JSON.parse(readFileSync(ledgerPath, "utf8"))
      : [];
    const ids = new Set(entries.map(({ id }) => id));
    for (const id of result.acknowledged) if (!ids.has(id)) result.lost.add(id);
  };
  const onSaved = (id: string) => {
    const nowMs = performance.now();
    result.longestPauseMs = Math.max(result.longestPauseMs, nowMs - (lastSaveMs ?? nowMs));
    lastSaveMs = nowMs;
    result.acknowledged.push(id);
    inspect();
    if (options.killEvery === 0 || result.acknowledged.length % options.killEvery !== 0) return;
    const [victim] = running;
    victim?.kill("SIGKILL");
  };

  async function saveAll(name: string): Promise<void> {
    let tools = Array.from({ length: options.grantsEach }, (_, index) => `${name}-${index}`);
    while (tools.length > 0) {
      let crashed = false;
      let refusal: string | null = null;
      const { crash, deathsInTakeover = 0, withoutLock } = options;
      const inTakeover = result.crashes.takeover < deathsInTakeover ? MOST_LIKELY : crash?.inTakeover;
      const writer = startWriter(
        {
          ...places,
          tools,
          lockTimeoutMs: 60_000,
          ...(crash && { crash: { ...crash, inTakeover: inTakeover ?? 0 } }),
          ...(withoutLock && { withoutLock }),
        },
        (event) => {
          if (event.event === "refused") refusal = event.message;
          if (event.event === "crash") {
            crashed = true;
            result.crashes[event.area] += 1;
          }
          if (event.event === "saved") {
            tools = tools.filter((tool) => tool !== event.tool);
            onSaved(event.id);
          }
        },
      );
      running.add(writer);
      const { signal } = await writer.ended;
      running.delete(writer);
      if (refusal !== null) throw new Error(refusal);
      if (signal !== null && !crashed) result.killed += 1;
      inspect();
    }
  }

  await Promise.all(Array.from({ length: options.processes }, (_, index) => saveAll(`writer-${index}`)));
  return result;
}
