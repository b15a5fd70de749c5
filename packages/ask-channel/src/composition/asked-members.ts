import type { AskAnswer, AskResolution, AskResolver, PendingAsk } from "@x/permission-core";
import type { AskName } from "../tells-parked.js";

/** So many asks may have ended without anybody telling that their calls have. */
const MOST_UNSETTLED = 10_000;

/** What a round tells of itself. */
export interface RoundLog {
  asked(member: AskResolver): void;
  /** an answer may come by this name from elsewhere */
  parked(stored: AskName): void;
  answered(member: AskResolver, answer: AskResolution | AskAnswer): void;
  ended(): void;
}

/** Everybody who was asked one ask. */
export interface Asked {
  /** each with the id by which it knows the ask */
  readonly members: Map<AskResolver, string>;
  /** end the rounds that are open still */
  readonly stops: Set<(reason: unknown) => void>;
  /** what it is found by: the ask put, and the stored asks that were gone on with instead */
  readonly keys: Set<string>;
}

/**
 * Remembers who was asked what, until the call has ended. Rounds of one ask are one entry. Of the asks whose wait has
 * ended, the latest are remembered; `onForgotten` is called at the first that is not, and once only.
 */
export class AskedMembers {
  readonly #asked = new Map<string, Asked>();
  /** those whose wait has ended, oldest first */
  readonly #ended = new Set<Asked>();
  readonly #onForgotten: () => void;
  #hasForgotten = false;

  constructor(onForgotten: () => void) {
    this.#onForgotten = onForgotten;
  }

  begin(ask: PendingAsk, stop: (reason: unknown) => void): RoundLog {
    const key = keyOf(ask);
    const asked = this.#asked.get(key) ?? { members: new Map(), stops: new Set(), keys: new Set() };
    this.#name(asked, key);
    this.#ended.delete(asked);
    asked.stops.add(stop);
    return {
      asked(member) {
        if (member.settled !== undefined) asked.members.set(member, ask.id);
      },
      parked: (stored) => this.#name(asked, keyOf({ ...ask, ...stored })),
      answered: (member, answer) => {
        if (typeof answer === "string" || answer.ask_id === undefined) return;
        this.#name(asked, keyOf({ ...ask, id: answer.ask_id }));
        if (asked.members.has(member)) asked.members.set(member, answer.ask_id);
      },
      ended: () => {
        asked.stops.delete(stop);
        const isTaken = this.#asked.get(key) !== asked;
        if (isTaken || asked.stops.size > 0) return;
        if (asked.members.size === 0) this.#forget(asked);
        else this.#remember(asked);
      },
    };
  }

  /** Gives back who was asked, and forgets it. `ask` may carry the id of the stored ask that was answered. */
  take(ask: PendingAsk): Asked | null {
    const asked = this.#asked.get(keyOf(ask));
    if (asked === undefined) return null;
    this.#forget(asked);
    return asked;
  }

  #name(asked: Asked, key: string): void {
    if (this.#asked.has(key)) return;
    this.#asked.set(key, asked);
    asked.keys.add(key);
  }

  #remember(asked: Asked): void {
    this.#ended.add(asked);
    if (this.#ended.size <= MOST_UNSETTLED) return;
    for (const oldest of this.#ended) {
      this.#forget(oldest);
      break;
    }
    if (!this.#hasForgotten) this.#onForgotten();
    this.#hasForgotten = true;
  }

  #forget(asked: Asked): void {
    for (const key of asked.keys) this.#asked.delete(key);
    this.#ended.delete(asked);
  }
}

/** An id alone could be that of another call's ask, where an answer names it. */
function keyOf(ask: PendingAsk): string {
  return JSON.stringify([ask.id, ask.call_id, ask.args_digest]);
}
