import { getEventListeners } from "node:events";
import {
  type AnswerStatus,
  type AskAnswer,
  type AskResolution,
  type AskResolver,
  type Clock,
  type PendingAsk,
  PermissionGateError,
} from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import {
  ApprovalChannel,
  type ChannelResolver,
  type ComposableResolver,
  escalate,
  fallback,
  firstAnswer,
  quorum,
  route,
  withDeadline,
} from "../../src/index.js";
import { pendingAsk } from "./asks.js";
import type { Leaf, Tree } from "./composition-tree.js";
import { turn } from "./held-member.js";
import { approvalOf } from "./tree-reference.js";

/** What one leaf went through. */
export interface LeafLog {
  leaf: Leaf;
  asked: number;
  /** when it said what it says, the last time it was asked; also when nobody listened any more */
  spokeAtMs: number | null;
  calledOff: { atMs: number; reason: unknown } | null;
  told: string[];
  status: AnswerStatus | null;
  channel: ChannelResolver | null;
}

/** How the asking of the tree ended, and how many timers and listeners were left at that moment. */
export interface TreeEnding {
  atMs: number;
  value?: AskResolution | AskAnswer;
  code?: string;
  left: number;
}

/** Builds a tree of real compositions, and lets time pass over it, step by step. */
export class TreeRun {
  readonly ask: PendingAsk = pendingAsk("A");
  readonly logs: LeafLog[] = [];
  readonly composition: AskResolver;
  readonly #clock = new ManualClock(0);
  readonly #due = new Set<number>();
  /** timers that the leaves have set */
  #leafTimers = 0;

  constructor(tree: Tree) {
    // A leaf alone is no composition.
    this.composition = firstAnswer([this.#build(tree)], { onReport: () => {} });
  }

  /** Asks, and calls it off at `endMs` if it is open still. What is left over when it ends is counted at that moment. */
  async run(end: { atMs: number; code: "ask_cancelled" | "ask_expired" }, isNonInteractive: boolean) {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new PermissionGateError(end.code, end.code);
    const endings: TreeEnding[] = [];
    const note = (what: { value: AskResolution | AskAnswer } | { code: string }) => {
      const left = this.#clock.timerCount - this.#leafTimers + getEventListeners(signal, "abort").length;
      endings.push({ atMs: this.#clock.now(), ...what, left });
    };
    Promise.resolve(this.composition.resolve(this.ask, { signal, isNonInteractive })).then(
      (value) => note({ value }),
      (error: { code?: string }) => note({ code: error.code ?? String(error) }),
    );
    await turn();
    this.#due.add(end.atMs);
    while (this.#due.size > 0) {
      const nextMs = Math.min(...this.#due);
      this.#due.delete(nextMs);
      this.#clock.advance(nextMs - this.#clock.now());
      if (nextMs === end.atMs) controller.abort(reason);
      await turn();
    }
    return { endings, reason };
  }

  /** The clock, so that this knows when something is due. */
  readonly #watched: Clock = {
    now: () => this.#clock.now(),
    setTimer: (callback, delayMs) => {
      this.#due.add(this.#clock.now() + delayMs);
      return this.#clock.setTimer(callback, delayMs);
    },
  };

  #build(tree: Tree): ComposableResolver {
    const options = { clock: this.#watched, onReport: () => {} };
    const all = (members: Tree[]) => members.map((member) => this.#build(member));
    switch (tree.kind) {
      case "leaf":
        return this.#buildLeaf(tree);
      case "firstAnswer":
        return firstAnswer(all(tree.members), options);
      case "fallback":
        return fallback(all(tree.members), options);
      case "quorum":
        return quorum(tree.needed, all(tree.members), options);
      case "escalate": {
        const steps = tree.steps.map(({ to, afterMs }) => ({ to: this.#build(to), afterMs }));
        return escalate(steps, options);
      }
      case "withDeadline":
        return withDeadline(this.#build(tree.member), tree.ms, options);
      case "route": {
        const chosen = tree.member === null ? null : this.#build(tree.member);
        const { afterMs } = tree;
        if (afterMs === null) return route(() => chosen, options);
        return route(() => this.#later(afterMs, () => chosen), options);
      }
    }
  }

  #buildLeaf(leaf: Leaf): ComposableResolver {
    const log: LeafLog = {
      leaf,
      asked: 0,
      spokeAtMs: null,
      calledOff: null,
      told: [],
      status: null,
      channel: null,
    };
    this.logs.push(log);
    if (leaf.how === "channel") return this.#buildChannel(leaf, log);
    const speak = () => {
      log.spokeAtMs = this.#clock.now();
      return said(leaf);
    };
    const answer = (signal: AbortSignal) => {
      log.asked += 1;
      log.spokeAtMs = null;
      signal.addEventListener("abort", () => {
        log.calledOff = { atMs: this.#clock.now(), reason: signal.reason };
      });
      if (leaf.says === "never") return new Promise<never>(() => {});
      return leaf.how === "sync" ? speak() : this.#later(leaf.afterMs, speak);
    };
    if (leaf.how === "function") return (_prompt, _tool, { signal }) => answer(signal);
    return {
      interactive: leaf.interactive,
      resolve: (_pending, { signal }) => answer(signal),
      settled: (pending) => void log.told.push(pending.id),
    };
  }

  #buildChannel(leaf: Leaf, log: LeafLog): ComposableResolver {
    const { resolver, approver } = ApprovalChannel.pair(1, { onReport: () => {} });
    log.channel = resolver;
    const settled = resolver.settled.bind(resolver);
    resolver.settled = (pending, outcome) => {
      log.told.push(pending.id);
      settled(pending, outcome);
    };
    const answer = async (pending: PendingAsk, shown: number) => {
      // Whoever is shown the ask again while it thinks begins anew.
      if (shown !== log.asked) return;
      log.spokeAtMs = this.#clock.now();
      log.status = await approver.answer(pending, leaf.says === "deny" ? "Deny" : approvalOf(leaf));
    };
    const listen = async () => {
      for await (const pending of approver) {
        log.asked += 1;
        log.spokeAtMs = null;
        log.status = null;
        const shown = log.asked;
        if (leaf.says !== "never") this.#later(leaf.afterMs, () => void answer(pending, shown));
      }
    };
    void listen();
    return resolver;
  }

  #later<T>(delayMs: number, give: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#leafTimers += 1;
      this.#watched.setTimer(() => {
        this.#leafTimers -= 1;
        try {
          resolve(give());
        } catch (error) {
          reject(error);
        }
      }, delayMs);
    });
  }
}

function said(leaf: Leaf): AskResolution | AskAnswer {
  switch (leaf.says) {
    case "approve":
      return approvalOf(leaf);
    case "deny":
      return "Deny";
    case "unavailable":
    case "expired":
      throw new PermissionGateError(`ask_${leaf.says}`, leaf.name);
    case "throw":
      throw new Error("broken");
    default:
      return "yes" as never;
  }
}
