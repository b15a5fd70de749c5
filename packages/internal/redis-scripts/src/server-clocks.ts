import { PermissionGateError } from "@x/permission-core";
import type { Redis } from "ioredis";
import { keySlot } from "./key-slot.js";
import { clientKeyPrefix, isCluster, type RedisClient } from "./redis-client.js";

/** How long what is known of a server's clock is trusted. */
const TRUSTED_MS = 60_000;
/** Nodes of a Cluster that are known at once; far more than one has. */
const MOST_NODES = 10_000;

/** What is known of one server's clock. */
interface KnownClock {
  /** its clock in ms less ours, which is monotonic; never too high by more than its clock was set back since */
  readonly offsetMs: number;
  readonly untilMs: number;
}

interface Question {
  readonly answered: Promise<KnownClock>;
  /** by our clock: when it counts as lost */
  readonly untilMs: number;
}

interface Server {
  readonly name: string;
  readonly client: Redis;
}

/**
 * The clocks of the servers that scripts run on: one for a client of one server, and one for each node of a Cluster, whose
 * clocks need not agree. Which node a key lies on is what the client believes; where it does not know, the key's server is
 * asked each time. A key that moves to a node whose clock is behind counts as a clock that was set back.
 */
export class ServerClocks {
  readonly #redis: RedisClient;
  readonly #ask: (client: RedisClient, keys: readonly string[]) => Promise<number>;
  readonly #known = new Map<string, KnownClock>();
  /** the questions under way, each shared by all who need its answer before it counts as lost */
  readonly #asking = new Map<string, Question>();

  /** `ask` gives the time, in Unix ms, of the server that `client` sends to: the one that the keys lie on, if there are any. */
  constructor(redis: RedisClient, ask: (client: RedisClient, keys: readonly string[]) => Promise<number>) {
    this.#redis = redis;
    this.#ask = ask;
  }

  /** Our time `timeMs`, by `performance.now()`, as the server of `key` calls it; now, where its clock is known. */
  onServer(key: string, timeMs: number, lostAfterMs: number): number | Promise<number> {
    const server = this.#serverOf(key);
    if (server === null) return this.#ask(this.#redis, [key]).then((now) => convert(clockAt(now), timeMs));
    const known = this.#known.get(server.name);
    if (known !== undefined && performance.now() < known.untilMs) return convert(known, timeMs);
    return this.#learn(server, lostAfterMs).then((clock) => convert(clock, timeMs));
  }

  /** The same where the server has just told its time. What was known of its clock was wrong, and is forgotten. */
  onServerTold(key: string, timeMs: number, serverNowMs: number): number {
    const server = this.#serverOf(key);
    if (server !== null) this.#known.delete(server.name);
    return convert(clockAt(serverNowMs), timeMs);
  }

  /** The answer counts as lost after `lostAfterMs`. */
  #learn({ name, client }: Server, lostAfterMs: number): Promise<KnownClock> {
    const now = performance.now();
    const asked = this.#asking.get(name);
    if (asked !== undefined && now < asked.untilMs) return asked.answered;
    const question = { answered: this.#question(name, client), untilMs: now + lostAfterMs };
    this.#asking.set(name, question);
    const done = () => {
      if (this.#asking.get(name) === question) this.#asking.delete(name);
    };
    question.answered.then(done, done);
    return question.answered;
  }

  async #question(name: string, client: Redis): Promise<KnownClock> {
    const clock = clockAt(await this.#ask(client, []));
    if (this.#known.size >= MOST_NODES) this.#known.clear();
    this.#known.set(name, clock);
    return clock;
  }

  #serverOf(key: string): Server | null {
    if (!isCluster(this.#redis)) return { name: "", client: this.#redis };
    const name = this.#redis.slots[keySlot(clientKeyPrefix(this.#redis) + key)]?.[0];
    if (name === undefined) return null;
    const node = this.#redis
      .nodes("master")
      .find(({ options }) => `${options.host}:${options.port}` === name);
    return node === undefined ? null : { name, client: node };
  }
}

/**
 * The answer took time to come, so what it tells is past: deadlines turn out early, never late. Throws code `storage` for what
 * is no time: with that for a clock, nothing would ever be late.
 */
function clockAt(serverNowMs: number): KnownClock {
  if (!Number.isFinite(serverNowMs)) {
    throw new PermissionGateError(
      "storage",
      "Redis told no time by its clock: see what answers in its place.",
    );
  }
  const now = performance.now();
  return { offsetMs: serverNowMs - now, untilMs: now + TRUSTED_MS };
}

function convert({ offsetMs }: KnownClock, timeMs: number): number {
  return Math.floor(offsetMs + timeMs);
}
