import { getEventListeners, setMaxListeners } from "node:events";
import type { AskAnswer, AskResolution, PendingAsk } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { type AskChannel, type AskChannelSuiteOptions, askChannelSuite } from "../../src/index.js";
import { failuresOf } from "../support/failures-of.js";
import { MemoryChannel } from "../support/memory-channel.js";
import { TravellingChannel } from "../support/travelling-channel.js";

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, "abort").length;

describe("a channel in memory", () => {
  const clock = new ManualClock();
  askChannelSuite({
    it,
    create: () => new MemoryChannel(),
    closeResolver: (channel) => channel.closeResolver(),
    listenersOf,
    liveTimers: () => clock.timerCount,
  });
});

describe("a channel whose asks and answers travel", () => {
  askChannelSuite({
    it,
    create: () => new TravellingChannel(),
    settle: () => new Promise((resolve) => setImmediate(resolve)),
    closeDenies: false,
  });
});

describe("the suite reports a broken channel", () => {
  it("that gives the newest ask first", async () => {
    class Stack extends MemoryChannel {
      protected override unread() {
        return [...this.waiting.values()].toReversed().find(({ isRead }) => !isRead);
      }
    }
    const failures = await failuresOn(() => new Stack());
    expect(failures).toContain("gives and lists asks in the order in which they were put");
    expect(failures).not.toContain(
      "an ask takes one answer; a second one is told already_answered and changes nothing",
    );
  });

  it("that tells every answer that it was delivered", async () => {
    class AnsweringTwice extends MemoryChannel {
      protected override isRepeat(ending: unknown) {
        return ending !== undefined;
      }
    }
    const failures = await failuresOn(() => new AnsweringTwice());
    expect(failures).toContain(
      "an ask takes one answer; a second one is told already_answered and changes nothing",
    );
    expect(failures).toContain(
      "of answers given at once one is delivered, and that is the one that the call gets",
    );
  });

  it("that goes by the id alone", async () => {
    class Unbound extends MemoryChannel {
      protected override isBound() {
        return true;
      }
    }
    expect(await failuresOn(() => new Unbound())).toEqual([
      "an answer with the digest of another call is a mismatch, and the ask goes on waiting",
      "stays bound to the ask as it was put, whoever changes what they put or were shown",
    ]);
  });

  it("that does not know a repeated answer", async () => {
    class Forgetful extends MemoryChannel {
      protected override isRepeat() {
        return false;
      }
    }
    expect(await failuresOn(() => new Forgetful())).toEqual([
      "a repeat of an answer under its answerId reads delivered again, and nothing else does",
    ]);
  });

  it("that approves what it cannot read", async () => {
    class Lenient extends MemoryChannel {
      protected override read(given: AskResolution | AskAnswer): AskAnswer {
        try {
          return super.read(given);
        } catch {
          return { resolution: "Approve" };
        }
      }
    }
    expect(await failuresOn(() => new Lenient())).toEqual([
      "what is no answer is refused with bad_record and ends nothing, or denies",
      "what is no answer does not approve by id either",
    ]);
  });

  it("that approves what waits when it is closed", async () => {
    class Approving extends MemoryChannel {
      protected override answerOfClose(): AskAnswer {
        return { resolution: "Approve" };
      }
    }
    const failures = ["an answer given after the approver was closed does not approve"];
    expect(await failuresOn(() => new Approving(), { closeDenies: false })).toEqual(failures);
    expect(await failuresOn(() => new Approving())).toEqual([
      ...failures,
      "closing the approver denies all that wait, read or not",
    ]);
  });

  it("that lets calls hang when it is closed", async () => {
    class Hanging extends MemoryChannel {
      protected override closeApprover() {
        this.isClosed = true;
        this.dismissReaders();
      }
    }
    expect(await failuresOn(() => new Hanging())).toContain(
      "closing the approver denies all that wait, read or not",
    );
  });

  it("that ends with the loop over it", async () => {
    class Closing extends MemoryChannel {
      protected override async *iterate() {
        try {
          yield* super.iterate();
        } finally {
          this.closeApprover();
        }
      }
    }
    expect(await failuresOn(() => new Closing())).toEqual([
      "for await gives asks in order, and leaving it closes nothing",
    ]);
  });

  it("that goes on offering what has ended", async () => {
    class Undying extends MemoryChannel {
      protected override abort(
        wait: Parameters<MemoryChannel["abort"]>[0],
        reason: Parameters<MemoryChannel["abort"]>[1],
      ) {
        wait.settle(reason);
      }
    }
    const failures = await failuresOn(() => new Undying());
    expect(failures).toContain("skips what ended while it was queued");
    expect(failures).toContain(
      "a wait that is past its deadline rejects with ask_expired, and a late answer is told expired",
    );
  });

  it("that calls every end a cancel", async () => {
    class Vague extends MemoryChannel {
      protected override end(
        wait: Parameters<MemoryChannel["end"]>[0],
        ending: Parameters<MemoryChannel["end"]>[1],
      ) {
        super.end(wait, ending.status === "expired" ? { status: "cancelled" } : ending);
      }
    }
    expect(await failuresOn(() => new Vague())).toEqual([
      "a wait that is past its deadline rejects with ask_expired, and a late answer is told expired",
      "the end of a call may be told, and changes nothing about its answer",
    ]);
  });

  it("that leaves a listener on the signal", async () => {
    class Listening extends MemoryChannel {
      protected override subscribe(signal: AbortSignal, callback: () => void) {
        setMaxListeners(0, signal);
        signal.addEventListener("abort", callback, { once: true });
        return () => {};
      }
    }
    expect(await failuresOn(() => new Listening(), { listenersOf })).toContain(
      "many waits on one signal take few listeners and leave none",
    );
  });

  it("that puts a listener on the signal for every ask", async () => {
    class Crowding extends MemoryChannel {
      protected override subscribe(signal: AbortSignal, callback: () => void) {
        setMaxListeners(0, signal);
        signal.addEventListener("abort", callback);
        return () => signal.removeEventListener("abort", callback);
      }
    }
    expect(await failuresOn(() => new Crowding(), { listenersOf })).toEqual([
      "many waits on one signal take few listeners and leave none",
    ]);
  });

  it("that leaves a timer running for the deadline", async () => {
    const clock = new ManualClock();
    class Ticking extends MemoryChannel {
      protected override park(ask: PendingAsk, signal: AbortSignal) {
        if (ask.expires_at_ms !== undefined) clock.setTimer(() => {}, ask.expires_at_ms - clock.now());
        return super.park(ask, signal);
      }
    }
    expect(await failuresOn(() => new Ticking(), { liveTimers: () => clock.timerCount })).toEqual([
      "a wait that ended leaves no timer",
    ]);
  });
});

it("closes each channel after its test, also a failed one", async () => {
  let open = 0;
  let made = 0;
  const failures = await failuresOn(() => {
    open += 1;
    made += 1;
    const { resolver, approver } = new MemoryChannel();
    const close = () => {
      open -= 1;
    };
    return { resolver, approver: { ...approver, list: async () => [] }, close };
  });
  expect(failures).not.toEqual([]);
  expect(made).toBeGreaterThan(failures.length);
  expect(open).toBe(0);
});

/** The titles of the suite's tests that fail on this channel. */
function failuresOn(
  create: () => AskChannel,
  capabilities: Partial<AskChannelSuiteOptions<AskChannel>> = {},
): Promise<string[]> {
  return failuresOf((it) => askChannelSuite({ it, create, ...capabilities }));
}
