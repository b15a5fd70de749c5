import type { PendingAsk } from "@x/permission-core";
import type { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");

const server = await serverOfFile();

/** A client that does `before` and `after` each script that it runs; its other connections are as quick as ever. */
function slow(hooks: { before?: () => Promise<void>; after?: () => Promise<void> }): Redis {
  const redis = client(server);
  const evalsha = redis.evalsha.bind(redis) as (...args: unknown[]) => Promise<unknown>;
  redis.evalsha = (async (...args: unknown[]) => {
    await hooks.before?.();
    const reply = await evalsha(...args);
    await hooks.after?.();
    return reply;
  }) as typeof redis.evalsha;
  return redis;
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe("an ask that is put anew before an approver knows what became of it", () => {
  it("is shown to it again, where the reply to its own answer is late", async () => {
    const channel = channelOn(server);
    const worker = channel.resolver();
    const hooks: { after?: () => Promise<void> } = {};
    const approver = channel.approver({ redis: slow(hooks) });
    const first = worker.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    // Redis knows the script from then on; and replies come in order, so all that was sent before has come.
    expect(await approver.answer(pendingAsk("none"), "Deny")).toBe("unknown");
    let second: Promise<unknown> | null = null;
    hooks.after = async () => {
      await first;
      second ??= worker.resolve(A, wait().context);
      await until(() => approver.load().unread === 1, "it knows it anew");
    };
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    expect(approver.load()).toMatchObject({ known: 1, unread: 1 });
    delete hooks.after;
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await second).toEqual({ resolution: "Deny" });
  });

  it("is shown to it again, where it lists what waits in between", async () => {
    const channel = channelOn(server);
    const [worker, other] = [channel.resolver(), channel.approver()];
    const hooks: { before?: () => Promise<void>; after?: () => Promise<void> } = {};
    const approver = channel.approver({ redis: slow(hooks) });
    const first = worker.resolve(A, wait().context);
    expect(await approver.nextPending()).toEqual(A);
    let second: Promise<unknown> | null = null;
    hooks.before = async () => {
      await other.answer(A, "Approve");
      await first;
    };
    hooks.after = async () => {
      second ??= worker.resolve(A, wait().context);
      await until(async () => (await other.list()).length === 1, "it is put anew");
      // What tells of it has come by then, and waits for the end of the listing.
      await pause(100);
    };
    expect(await approver.list()).toEqual([]);
    delete hooks.before;
    delete hooks.after;
    expect(await approver.nextPending()).toEqual(A);
    expect(await approver.answer(A, "Deny")).toBe("delivered");
    expect(await second).toEqual({ resolution: "Deny" });
  });
});

describe("an ask that was answered before its worker heard that it is stored", () => {
  it("is told as parked before its answer", async () => {
    const channel = channelOn(server);
    const approver = channel.approver();
    const replies: (() => void)[] = [];
    const redis = slow({
      // The replies to its parking and to the taking of its answer come in one piece.
      after: () =>
        new Promise((resolve) => {
          replies.push(resolve);
          if (replies.length === 2) for (const reply of replies) reply();
        }),
    });
    const told: string[] = [];
    const worker = channel.resolver({ redis });
    const onParked = ({ id }: Pick<PendingAsk, "id">) => void told.push(id);
    const answer = worker
      .resolve(A, { ...wait().context, onParked })
      .then(({ resolution }) => told.push(resolution));
    // It asks for the server's clock first, once.
    await until(() => replies.length === 1, "it has the server's clock");
    replies.splice(0)[0]?.();
    await until(async () => (await approver.list()).length === 1, "it is listed");
    await until(() => replies.length === 1, "it is parked");
    expect(await approver.answer(A, "Approve")).toBe("delivered");
    await answer;
    expect(told).toEqual(["A", "Approve"]);
  });
});
