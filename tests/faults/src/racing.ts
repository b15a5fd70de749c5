import { setTimeout as sleep } from "node:timers/promises";
import type { RedisApprover } from "@x/ask-channel/redis";
import { type AskAnswer, isPermissionGateError, type PendingAsk } from "@x/permission-core";
import type { Given } from "./protocol.js";

/** Where something is wrong, trying again has an end. */
const MOST_GIVEN = 50_000;

/** An answer to be given. */
interface Answering {
  resolution: "Approve" | "Deny";
  answerId: string;
}

/** Gives an answer, and tells what the approver read. */
export async function give(
  approver: RedisApprover,
  name: string,
  ask: Pick<PendingAsk, "id" | "args_digest"> & { call_id?: string },
  { resolution, answerId }: { resolution: "Approve" | "Deny"; answerId?: string },
): Promise<Given> {
  const told = { askId: ask.id, callId: ask.call_id ?? null, resolution, answerId: answerId ?? null };
  try {
    const answer: AskAnswer =
      resolution === "Approve" ? { resolution, decided_by: name } : { resolution, decided_by: name };
    const status = await approver.answer(ask, answer, answerId === undefined ? {} : { answerId });
    return { ...told, status, code: null };
  } catch (error) {
    return { ...told, status: null, code: isPermissionGateError(error) ? error.code : String(error) };
  }
}

/**
 * Answers everything that it is shown, at random: at once or late, one way or the other, some answers twice at the same
 * time, some again and the other way round.
 */
export class RacingApprover {
  readonly #approver: RedisApprover;
  readonly #name: string;
  readonly #random: () => number;
  readonly #given: Given[] = [];
  readonly #open = new Set<Promise<void>>();

  constructor(approver: RedisApprover, name: string, seed: number) {
    this.#approver = approver;
    this.#name = name;
    this.#random = randomFrom(seed);
  }

  /** Until the approver is closed. */
  async run(): Promise<void> {
    for await (const ask of this.#approver) {
      const answered = this.#answerAtRandom(ask);
      this.#open.add(answered);
      void answered.finally(() => this.#open.delete(answered));
    }
  }

  /** Everything that was given, once nothing is on its way. */
  async allGiven(): Promise<Given[]> {
    while (this.#open.size > 0) await Promise.all(this.#open);
    return this.#given;
  }

  async #answerAtRandom(ask: PendingAsk): Promise<void> {
    const answerId = `${this.#name}/${ask.id}`;
    const first: Answering = { resolution: this.#random() < 0.5 ? "Approve" : "Deny", answerId };
    const isTwice = this.#random() < 0.25;
    const isTakenBack = this.#random() < 0.25;
    await sleep(this.#random() < 0.2 ? 50 + this.#random() * 200 : this.#random() * 10);
    await Promise.all([this.#give(ask, first), isTwice ? this.#give(ask, first) : null]);
    if (!isTakenBack) return;
    await sleep(this.#random() * 30);
    const other = first.resolution === "Approve" ? "Deny" : "Approve";
    await this.#give(ask, { resolution: other, answerId: `${answerId}/other` });
  }

  /** Again with the same id where Redis was too slow to tell, as an approver is to do it. */
  async #give(ask: PendingAsk, answering: Answering): Promise<void> {
    let given: Given;
    do {
      given = await give(this.#approver, this.#name, ask, answering);
      this.#given.push(given);
    } while (given.code === "storage" && this.#given.length < MOST_GIVEN);
  }
}

/** Numbers of [0, 1) that look random, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
