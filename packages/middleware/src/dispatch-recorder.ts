import {
  type AskResolver,
  type DispatchOutcome,
  decisiveRecord,
  type GateDecision,
  type GrantStore,
  type PendingAsk,
} from "@x/permission-core";
import type { OpenWait } from "./wait.js";

/** Whose answer stands behind a record. */
export interface DecidedBy {
  askId: string;
  decidedBy: string | null;
}

interface PutAsk {
  resolver: AskResolver;
  pending: PendingAsk;
}

/**
 * The record of one dispatch. Every layer reports its decision here, from the outermost inwards, so a layer that gives up
 * or replays can neither lose nor forge one. Once closed it takes nothing more, and whoever still waits is sent home.
 */
export class DispatchRecorder {
  readonly trail: GateDecision[] = [];
  /** the asks put, to be told how the call ended */
  readonly asks: PutAsk[] = [];
  #openWaits: OpenWaits | null = null;
  #failedStores: Map<GrantStore, boolean> | null = null;
  #answers: Map<GateDecision, DecidedBy> | null = null;
  #deciding: GateDecision | null = null;
  #closed = false;
  #cancelled = false;

  get openWaits(): Set<OpenWait> {
    this.#openWaits ??= new OpenWaits(() => this.#cancelled && !this.#closed);
    return this.#openWaits;
  }

  /** Stores that failed in this dispatch; true once somebody consented to go on without. */
  get failedStores(): Map<GrantStore, boolean> {
    this.#failedStores ??= new Map();
    return this.#failedStores;
  }

  /** Whether the dispatch is over. Nothing may run any more: it would run unrecorded. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether somebody called the dispatch off. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Whether a question waits for its answer: each that ended left a record. */
  get isAsking(): boolean {
    return this.asks.length > (this.#answers?.size ?? 0);
  }

  record(decision: GateDecision, answer?: DecidedBy): void {
    if (this.#closed) return;
    this.trail.push(decision);
    this.#deciding = this.#deciding === null ? decision : decisiveRecord(decision, this.#deciding);
    if (answer !== undefined) {
      this.#answers ??= new Map();
      this.#answers.set(decision, answer);
    }
  }

  /** The record that survives, by the lattice; null where nothing gated. */
  get deciding(): GateDecision | null {
    return this.#deciding;
  }

  /** Who stands behind the deciding record: its own approver, else, where the call went through, the last who consented. */
  decidedBy(): DecidedBy | null {
    const deciding = this.#deciding;
    if (deciding === null || this.#answers === null) return null;
    const own = this.#answers.get(deciding);
    if (own !== undefined) return own;
    if (deciding.verdict !== "allow" && deciding.verdict !== "allow_modified") return null;
    let last: DecidedBy | null = null;
    for (const answer of this.#answers.values()) last = answer;
    return last;
  }

  /** Ends every wait that is still open, each with its record. */
  endWaits(kind: "cancelled" | "expired"): void {
    if (kind === "cancelled") this.#cancelled = true;
    if (this.#openWaits === null) return;
    for (const wait of [...this.#openWaits]) wait.end(kind);
  }

  /** Ends what is open, as expired, and takes nothing more. */
  close(): void {
    this.endWaits("expired");
    this.#closed = true;
  }

  /** Replaces the deciding record by the one that was emitted, with its time. */
  stamp(ts: number): GateDecision | null {
    const deciding = this.#deciding;
    if (deciding === null) return null;
    const stamped = { ...deciding, ts };
    this.trail[this.trail.indexOf(deciding)] = stamped;
    const answer = this.#answers?.get(deciding);
    if (answer !== undefined) this.#answers?.set(stamped, answer);
    this.#deciding = stamped;
    return stamped;
  }

  /** Tells every resolver that was asked how the call ended, each ask once. Rejects, once all are told, where any failed. */
  async settleAsks(outcome: DispatchOutcome): Promise<void> {
    const asks = this.asks.splice(0);
    const told = await Promise.allSettled(
      asks.map(async ({ resolver, pending }) => resolver.settled?.(pending, outcome)),
    );
    const failures = told.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    if (failures.length === 1) throw failures[0];
    if (failures.length > 1) throw new AggregateError(failures, `${failures.length} resolvers failed.`);
  }
}

/** The waits that last. One that begins when the dispatch was called off already is ended at once. */
class OpenWaits extends Set<OpenWait> {
  readonly #calledOff: () => boolean;

  constructor(calledOff: () => boolean) {
    super();
    this.#calledOff = calledOff;
  }

  override add(wait: OpenWait): this {
    // It is still being set up.
    if (this.#calledOff()) queueMicrotask(() => wait.end("cancelled"));
    return super.add(wait);
  }
}
