import type { PermissionGateError } from "@x/permission-core";
import { type RedisScript, redisScript, ScriptRunner } from "@x/redis-scripts";
import { Batch } from "./batch.js";
import type { ChannelSettings } from "./options.js";
import { damageOf, failedReply, repliesOf, textsOf, unknownReply } from "./replies.js";
import consumeText from "./scripts/consume.lua";
import endText from "./scripts/end.lua";
import endAskText from "./scripts/end-ask.lua";
import headsText from "./scripts/heads.lua";
import parkText from "./scripts/park.lua";
import refreshText from "./scripts/refresh.lua";
import serverNameText from "./scripts/server-name.lua";

const PARK = redisScript("park", `${serverNameText}${headsText}${endAskText}${parkText}`);
const CONSUME = redisScript("consume", consumeText);
export const END = redisScript("end", `${headsText}${endAskText}${endText}`);
export const REFRESH = redisScript("refresh", `${serverNameText}${refreshText}`);

/** An ask to be stored. */
export interface Parking {
  readonly id: string;
  /** signature and JSON */
  readonly stored: string;
  readonly argsDigest: string;
  /** null: it is never found again */
  readonly call: string | null;
  /** `<worker>/<n>`, of its own for each wait */
  readonly wait: string;
  /** until its deadline; null for none */
  readonly remainingMs: number | null;
  /** the one that last told what it knows of it */
  readonly server: string | undefined;
}

/**
 * `find` the ask of the same call, `demand` a live approver beside that, `renew` it (find only what others have left: this very wait
 * has given its own earlier one up), store it `fresh` whatever is known of the call, or `again`, since its answer was none.
 */
export type ParkMode = "find" | "demand" | "renew" | "fresh" | "again";

/** What the last try found held; `isStale`: its lease has not changed for as long as one lasts. */
export interface Seen {
  readonly id: string;
  readonly lease: string;
  readonly isStale: boolean;
}

/**
 * `server`: which answered, by its own name, or by one that it had shortly before; empty where it does not tell. `nobody`: no
 * approver is there, so it is not stored.
 */
export type Parked =
  | { kind: "parked" | "nobody"; server: string }
  /** to the ask that the same call left behind */
  | { kind: "attached"; id: string; stored: string; server: string }
  /** somebody else waits with the ask `id`; `lease` changes when they give a sign of life, and is empty once they took the answer */
  | { kind: "held"; lease: string; id: string };

export type Consumed =
  | { kind: "answer"; line: string }
  | { kind: "pending" }
  | { kind: "gone" }
  /** another wait has taken it over */
  | { kind: "lost" }
  | { kind: "ended"; status: string }
  /** Redis cannot read it, because of what stands there */
  | { kind: "damaged"; cause: PermissionGateError };

interface Ended {
  damage: PermissionGateError | null;
  wasAnswered: boolean;
}

const STATES = ["pending", "read", "ended", "gone", "lost", "damaged"] as const;
/** `read`: consuming it will tell more; so it will of one that has `ended`, by somebody else. */
export type RefreshedState = (typeof STATES)[number];

export interface Refreshed {
  approvers: number;
  /** which answered, by its own name; empty where it does not tell */
  server: string;
  states: RefreshedState[];
}

type Arguments = (string | number)[];

/**
 * The scripts of the asking side. What is wanted of one of them within one turn of the loop runs as one. All reject with code
 * `storage` where Redis did not run them, and may be run again.
 */
export class AskingScripts {
  readonly #settings: ChannelSettings;
  readonly #runner: ScriptRunner;
  readonly #parks: Batch<Arguments, string[]>;
  readonly #consumptions: Batch<Arguments, string[]>;
  readonly #ends: Batch<Arguments, string[]>;
  /** as it names itself; empty: it is to say it again. An old name costs answers, which are then asked for again. */
  #server = "";

  constructor(settings: ChannelSettings) {
    const { timeoutMs, leaseMs, keepMs, endingsMs, claimMs } = settings.times;
    this.#settings = settings;
    this.#runner = new ScriptRunner(settings.redis, timeoutMs);
    this.#parks = new Batch(async (items) => {
      const args: Arguments = [leaseMs, keepMs, endingsMs, this.#server];
      const reply = await this.#run(PARK, args.concat(...items));
      const [[server = ""] = [], ...replies] = repliesOf(reply, items.length + 1, PARK.name);
      this.#server = server;
      return replies.map((each) => [server, ...each]);
    });
    this.#consumptions = this.#batch(CONSUME, [claimMs]);
    this.#ends = this.#batch(END, [endingsMs]);
  }

  async park(parking: Parking, mode: ParkMode, seen: Seen | null): Promise<Parked> {
    const { id, stored, argsDigest, call, wait, remainingMs } = parking;
    // Whoever tries again must know which server it was.
    if (seen !== null) this.#server = "";
    const stale = seen?.isStale === true ? seen.lease : "";
    const args = [id, stored, argsDigest, call ?? "", wait, remainingMs ?? "", mode, seen?.id ?? "", stale];
    const [server = "", kind, first = "", second = ""] = await this.#parks.add(args);
    if (kind === "attached") return { kind, id: first, stored: second, server };
    if (kind === "held") return { kind, lease: first, id: second };
    if (kind === "parked" || kind === "nobody") return { kind, server };
    throw kind === "failed" ? failedReply(first, PARK.name) : unknownReply(PARK.name);
  }

  async consume(id: string, wait: string): Promise<Consumed> {
    const [kind, field = ""] = await this.#consumptions.add([id, wait]);
    if (kind === "answer") return { kind, line: field };
    if (kind === "ended") return { kind, status: field };
    if (kind === "pending" || kind === "gone" || kind === "lost") return { kind };
    if (kind === "failed") return { kind: "damaged", cause: damageOf(field, CONSUME.name) };
    throw unknownReply(CONSUME.name);
  }

  /**
   * `wait`: of this one, or with `<worker>/` whichever it is of that worker. Gives why Redis refuses it for good, or null; and
   * whether it ended now with an answer.
   */
  async end(id: string, wait: string, status: string): Promise<Ended> {
    const [kind, field = ""] = await this.#ends.add([id, wait, status]);
    if (kind === "failed") return { damage: damageOf(field, END.name), wasAnswered: false };
    return { damage: null, wasAnswered: field === "1" };
  }

  /** Without any, it tells which server answers. */
  async refresh(
    asks: readonly Pick<Parking, "id" | "wait" | "remainingMs" | "server">[],
  ): Promise<Refreshed> {
    const { leaseMs, keepMs, endingsMs } = this.#settings.times;
    const known = this.#server;
    this.#server = "";
    const named = asks.flatMap(({ id, wait, remainingMs, server }) => [
      id,
      wait,
      remainingMs ?? "",
      server === known ? 1 : 0,
    ]);
    const [approvers, server = "", ...states] = textsOf(
      await this.#run(REFRESH, [leaseMs, keepMs, endingsMs, known, ...named]),
      REFRESH.name,
    );
    if (states.length !== asks.length) throw unknownReply(REFRESH.name);
    this.#server = server;
    return { approvers: Number(approvers), server, states: states.map(readState) };
  }

  #batch(script: RedisScript, shared: Arguments): Batch<Arguments, string[]> {
    return new Batch(async (items) =>
      repliesOf(await this.#run(script, shared.concat(...items)), items.length, script.name),
    );
  }

  #run(script: RedisScript, args: Arguments): Promise<unknown> {
    return this.#runner.run(script, [this.#settings.names.slot], args);
  }
}

function readState(text: string): RefreshedState {
  return STATES.find((state) => state === text) ?? "damaged";
}
