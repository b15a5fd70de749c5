import type { PendingAsk, ReportEvent } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { SyncAskResolver } from "../src/index.js";
import { outcomeOf, pendingAsk, wait } from "./support/asks.js";

const A = pendingAsk("A");

describe("SyncAskResolver", () => {
  it("approves on true and denies on false, and runs once per ask", () => {
    const asked: PendingAsk[] = [];
    const resolver = new SyncAskResolver((pending) => asked.push(pending) === 1);
    expect(resolver.resolve(A, wait().context)).toBe("Approve");
    expect(resolver.resolve(pendingAsk("B"), wait().context)).toBe("Deny");
    expect(asked.map((ask) => ask.id)).toEqual(["A", "B"]);
    expect(resolver.interactive).toBe(false);
  });

  it("passes on answers in either form", () => {
    const given = { resolution: "Approve", decided_by: "policy bot", remember: "this_call" } as const;
    expect(new SyncAskResolver(() => "Approve").resolve(A, wait().context)).toBe("Approve");
    expect(new SyncAskResolver(() => "Deny").resolve(A, wait().context)).toBe("Deny");
    expect(new SyncAskResolver(() => given).resolve(A, wait().context)).toEqual(given);
  });

  it.each([1, "yes", "approve", null, undefined, {}, [], { resolution: true }, new Boolean(true)])(
    "denies and reports %j",
    (nonsense) => {
      const reports: ReportEvent[] = [];
      const resolver = new SyncAskResolver(() => nonsense as never, {
        onReport: (event) => reports.push(event),
      });
      expect(resolver.resolve(A, wait().context)).toBe("Deny");
      expect(reports).toHaveLength(1);
    },
  );

  it("denies a promise, and swallows its rejection", async () => {
    const resolver = new SyncAskResolver(() => Promise.reject(new Error("late")) as never, {
      onReport: () => {},
    });
    expect(resolver.resolve(A, wait().context)).toBe("Deny");
    await new Promise((resolve) => setImmediate(resolve));
  });

  it("asks nobody when the wait has ended before", async () => {
    const waiting = wait();
    waiting.cancel();
    const resolver = new SyncAskResolver(() => {
      throw new Error("asked");
    });
    expect(await outcomeOf(Promise.resolve().then(() => resolver.resolve(A, waiting.context)))).toEqual({
      code: "ask_cancelled",
    });
  });
});
