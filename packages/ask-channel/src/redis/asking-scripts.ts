import { type RedisScript, redisScript, ScriptRunner } from "@x/redis-scripts";
import type { ChannelSettings } from "./options.js";
import { textsOf, unknownReply } from "./replies.js";
import consumeText from "./scripts/consume.lua";
import endText from "./scripts/end.lua";
import parkText from "./scripts/park.lua";
import refreshText from "./scripts/refresh.lua";
import type { StoredAsk } from "./stored-ask.js";

const PARK = redisScript("park", parkText);
const CONSUME = redisScript("consume", consumeText);
const END = redisScript("end", endText);
const REFRESH = redisScript("refresh", refreshText);

/** An ask to be stored. */
export interface Parking extends StoredAsk {
  readonly id: string;
  readonly argsDigest: string;
  /** null: it is never found again */
  readonly call: string | null;
  /** a token of its own for each wait */
  readonly wait: string;
  /** until its deadline; null for none */
  readonly remainingMs: number | null;
}

/** `find` the ask of the same call, or store `fresh`, or `again` since its answer was none. */
export type ParkMode = "find" | "fresh" | "again";

export type Parked =
  | { kind: "parked" }
  /** to the ask that the same call left behind */
  | ({ kind: "attached"; id: string } & StoredAsk)
  /** somebody else waits; `lease` changes when they give a sign of life */
  | { kind: "held"; lease: string }
  | { kind: "nobody" };

export type Consumed =
  | { kind: "answer"; line: string }
  | { kind: "pending" }
  | { kind: "gone" }
  /** another wait has taken it over */
  | { kind: "lost" }
  | { kind: "ended"; status: string };

const STATES = ["pending", "read", "gone", "lost", "damaged"] as const;
/** `read`: consuming it will tell more. */
export type RefreshedState = (typeof STATES)[number];

export interface Refreshed {
  approvers: number;
  states: RefreshedState[];
}

/** The scripts of the asking side. All reject with code `storage` where Redis did not run them, and may be run again. */
export class AskingScripts {
  readonly #settings: ChannelSettings;
  readonly #runner: ScriptRunner;
  readonly #worker: string;

  constructor(settings: ChannelSettings, worker: string) {
    this.#settings = settings;
    this.#runner = new ScriptRunner(settings.redis, settings.times.timeoutMs);
    this.#worker = worker;
  }

  /** `requireApprover`: store nothing where nobody is there. */
  async park(parking: Parking, mode: ParkMode, requireApprover: boolean): Promise<Parked> {
    const { leaseMs, keepMs, endingsMs } = this.#settings.times;
    const [kind, ...fields] = await this.#run(PARK, [
      parking.id,
      parking.text,
      parking.signature,
      parking.argsDigest,
      parking.call ?? "",
      this.#worker,
      parking.wait,
      leaseMs,
      parking.remainingMs ?? "",
      keepMs,
      endingsMs,
      requireApprover ? 1 : 0,
      mode,
    ]);
    const [first = "", text = "", signature = ""] = fields;
    if (kind === "attached") return { kind, id: first, text, signature };
    if (kind === "held") return { kind, lease: first };
    if (kind === "parked" || kind === "nobody") return { kind };
    throw unknownReply(PARK.name);
  }

  async consume(id: string, wait: string): Promise<Consumed> {
    const [kind, field = ""] = await this.#run(CONSUME, [id, wait, this.#settings.times.claimMs]);
    if (kind === "answer") return { kind, line: field };
    if (kind === "ended") return { kind, status: field };
    if (kind === "pending" || kind === "gone" || kind === "lost") return { kind };
    throw unknownReply(CONSUME.name);
  }

  /** `wait` null: whichever wait it is, as long as it is this worker's. */
  async end(id: string, wait: string | null, status: string): Promise<void> {
    await this.#runner.run(
      END,
      [this.#settings.names.slot],
      [id, this.#worker, wait ?? "", status, this.#settings.times.endingsMs],
    );
  }

  async refresh(asks: readonly { id: string; wait: string }[]): Promise<Refreshed> {
    const { leaseMs, keepMs } = this.#settings.times;
    const named = asks.flatMap(({ id, wait }) => [id, wait]);
    const [approvers, ...states] = await this.#run(REFRESH, [leaseMs, keepMs, ...named]);
    if (states.length !== asks.length) throw unknownReply(REFRESH.name);
    return { approvers: Number(approvers), states: states.map(readState) };
  }

  async #run(script: RedisScript, args: readonly (string | number)[]): Promise<string[]> {
    return textsOf(await this.#runner.run(script, [this.#settings.names.slot], args), script.name);
  }
}

function readState(text: string): RefreshedState {
  return STATES.find((state) => state === text) ?? "damaged";
}
