import type { Attempt } from "../../src/lock/contender.js";
import { Contender } from "../../src/lock/contender.js";
import type { LockFiles } from "../../src/lock/lock-files.js";
import { lockNames } from "../../src/lock/lock-names.js";
import { parseLockOwner } from "../../src/lock/lock-owner.js";
import type { ProcessTable } from "../../src/lock/process-table.js";

const NAMES = lockNames("/ledger/grants.json");
const PLACE = "boot 1 pid:[1]";
const nonceOf = (pid: number) => String(pid).padStart(32, "0");

/** What a contender takes part with; the lock under test, or a wrong one to show that the search finds its fault. */
interface Party {
  enter(): Promise<void>;
  attempt(): Promise<Attempt>;
  release(): Promise<void>;
}

export type MakeParty = (files: LockFiles, processes: ProcessTable, nonce: string) => Party;

const lockParty: MakeParty = (files, processes, nonce) => new Contender(NAMES, files, processes, nonce);

export interface Search {
  contenders: number;
  /** how many contenders may be killed, each at any step */
  deaths: number;
  /** start with the lock of a process that died */
  deadLock: boolean;
  makeParty?: MakeParty;
}

export interface Outcome {
  /** distinct states that were reached */
  states: number;
  /** the first schedule that broke a rule, and which; null: none did */
  fault: { rule: string; schedule: string[] } | null;
}

/** One step of a schedule: let contender `index` do its next file operation, or kill it before that. */
type Step = { index: number; kind: "step" | "kill" };

/**
 * Tries every order in which contenders can do their file operations, each from entering to having released the lock once.
 * States that were reached before, by the files and by what each contender has seen in its attempt, are not followed
 * again. A contender that has to wait goes on once a file has changed or somebody died.
 */
export async function searchInterleavings(search: Search): Promise<Outcome> {
  const seen = new Set<string>();
  const schedules: Step[][] = [[]];
  for (let schedule = schedules.pop(); schedule !== undefined; schedule = schedules.pop()) {
    const world = new World(search);
    await world.begin();
    for (const step of schedule) await world.take(step);
    const show = () => schedule.map(({ kind, index }) => `${kind} ${index}`);
    if (world.fault !== null) return { states: seen.size, fault: { rule: world.fault, schedule: show() } };
    const state = world.state();
    if (seen.has(state)) continue;
    seen.add(state);
    const next = world.choices();
    if (next.every(({ kind }) => kind === "kill") && world.someoneUnfinished()) {
      return { states: seen.size, fault: { rule: "somebody waits for ever", schedule: show() } };
    }
    for (const step of next) schedules.push([...schedule, step]);
  }
  return { states: seen.size, fault: null };
}

interface Actor {
  pid: number;
  phase: "contending" | "holding" | "releasing" | "done" | "dead";
  /** the operation that it is about to do; null while it waits or is over */
  pending: (() => void) | null;
  /** set while it waits: the state of the files that made it wait */
  waitsSince: string | null;
  wake: () => void;
  /** results of its operations in this attempt: what decides its next step */
  trace: string[];
}

/** Files in memory, and contenders that each stand before their next operation on them. */
class World {
  fault: string | null = null;
  readonly #files = new Map<string, string>();
  readonly #actors: Actor[] = [];
  readonly #search: Search;
  #deathsLeft: number;

  constructor(search: Search) {
    this.#search = search;
    this.#deathsLeft = search.deaths;
    if (search.deadLock) this.#files.set(NAMES.lock, this.#ownerText(99));
  }

  /** Lets everybody get to their first operation. */
  async begin(): Promise<void> {
    for (let index = 0; index < this.#search.contenders; index++) {
      const actor: Actor = {
        pid: index + 1,
        phase: "contending",
        pending: null,
        waitsSince: null,
        wake: () => {},
        trace: [],
      };
      this.#actors.push(actor);
      void this.#run(actor);
    }
    await this.#settle();
  }

  choices(): Step[] {
    const steps: Step[] = [];
    const now = this.#circumstances();
    for (const [index, actor] of this.#actors.entries()) {
      if (actor.phase === "done" || actor.phase === "dead") continue;
      if (actor.pending !== null || (actor.waitsSince !== null && actor.waitsSince !== now)) {
        steps.push({ index, kind: "step" });
      }
      if (this.#deathsLeft > 0) steps.push({ index, kind: "kill" });
    }
    return steps;
  }

  async take({ index, kind }: Step): Promise<void> {
    const actor = this.#actors[index] as Actor;
    if (kind === "kill") {
      this.#deathsLeft -= 1;
      actor.phase = "dead";
      actor.pending = null;
      actor.waitsSince = null;
    } else if (actor.pending !== null) {
      const operation = actor.pending;
      actor.pending = null;
      operation();
    } else {
      actor.waitsSince = null;
      actor.wake();
    }
    await this.#settle();
  }

  someoneUnfinished(): boolean {
    return this.#actors.some(({ phase }) => phase !== "done" && phase !== "dead");
  }

  state(): string {
    const actors = this.#actors.map(({ phase, trace, waitsSince }) =>
      [phase, waitsSince, ...trace].join(" "),
    );
    return [this.#circumstances(), this.#deathsLeft, ...actors].join("|");
  }

  async #run(actor: Actor): Promise<void> {
    const makeParty = this.#search.makeParty ?? lockParty;
    const party = makeParty(this.#filesOf(actor), this.#processesOf(actor), nonceOf(actor.pid));
    await party.enter();
    for (;;) {
      const { kind } = await party.attempt();
      // A party remembers nothing from one attempt to the next.
      actor.trace = [];
      if (kind === "held") break;
      if (kind === "blocked") await this.#waitForChange(actor);
    }
    actor.phase = "holding";
    if (this.#actors.some((other) => other !== actor && other.phase === "holding"))
      this.fault = "two hold the lock";
    // One operation of the holder's, so that others come in between.
    await this.#operate(actor, () => "worked");
    if (this.#lockPid() !== actor.pid) this.fault = "a holder's lock was taken away";
    actor.phase = "releasing";
    actor.trace = [];
    await party.release();
    actor.phase = "done";
  }

  #waitForChange(actor: Actor): Promise<void> {
    actor.waitsSince = this.#circumstances();
    return new Promise((resolve) => {
      actor.wake = resolve;
    });
  }

  /** Lets `work` happen when the schedule gets to it. */
  #operate<Result>(actor: Actor, work: () => Result): Promise<Result> {
    return new Promise((resolve) => {
      actor.pending = () => {
        const result = work();
        actor.trace.push(String(result));
        resolve(result);
      };
    });
  }

  #filesOf(actor: Actor): LockFiles {
    const files = this.#files;
    return {
      // A contender's own file has no part in the order of things: nobody else touches it.
      create: async (path, text) => void files.set(path, text),
      read: (path) => this.#operate(actor, () => files.get(path) ?? null),
      link: (path, name) =>
        this.#operate(actor, () => {
          if (files.has(name)) return false;
          files.set(name, files.get(path) as string);
          return true;
        }),
      remove: (path) =>
        this.#operate(actor, () => {
          const pid = this.#lockPid();
          if (path === NAMES.lock && pid !== null && pid !== actor.pid && this.#isAlive(pid)) {
            this.fault = "a living process's lock was removed";
          }
          files.delete(path);
        }),
    };
  }

  #processesOf({ pid }: Actor): ProcessTable {
    return {
      self: () => ({ pid, startTime: "1", place: PLACE, host: "h" }),
      sight: (other) => (this.#isAlive(other) ? { kind: "running", startTime: "1" } : { kind: "none" }),
    };
  }

  #isAlive(pid: number): boolean {
    const actor = this.#actors[pid - 1];
    return actor !== undefined && actor.phase !== "dead";
  }

  #lockPid(): number | null {
    return parseLockOwner(this.#files.get(NAMES.lock) ?? "")?.pid ?? null;
  }

  #ownerText(pid: number): string {
    return JSON.stringify({ pid, start_time: "1", place: PLACE, host: "h", nonce: nonceOf(pid) });
  }

  /** What a waiting contender would see if it looked: the files that all share, by their owners, and who is dead. */
  #circumstances(): string {
    const dead = this.#actors.filter(({ phase }) => phase === "dead").map(({ pid }) => pid);
    return [...this.#files]
      .filter(([path]) => path.includes("/grants.json"))
      .map(([path, text]) => `${path.slice(NAMES.lock.length)}=${parseLockOwner(text)?.pid}`)
      .sort()
      .concat(`dead ${dead.join(" ")}`)
      .join(",");
  }

  /** Lets everything go on that can, until all stand before an operation, wait or are over. */
  async #settle(): Promise<void> {
    const isBusy = ({ phase, pending, waitsSince }: Actor) =>
      phase !== "done" && phase !== "dead" && pending === null && waitsSince === null;
    while (this.#actors.some(isBusy)) await Promise.resolve();
  }
}
