import { NIL_UUID, type PendingAsk } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { quorum } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const ANA = { resolution: "Approve", decided_by: "ana" } as const;
const BOB = { resolution: "Approve", decided_by: "bob" } as const;

const server = await serverOfFile();

function sides(options: Parameters<typeof channelOn>[1] = {}) {
  const channel = channelOn(server, options);
  return { ...channel, asks: channel.resolver(), desk: channel.approver() };
}

type Desk = ReturnType<typeof sides>["desk"];

async function listed(desk: Desk, ask: PendingAsk): Promise<void> {
  await until(async () => (await desk.list()).some(({ id }) => id === ask.id), "it is listed");
}

describe("a quorum over Redis", () => {
  it.each([
    ["with a session", A],
    ["where the session is nil", { ...A, session_id: NIL_UUID }],
  ])("asks a member again that approved without a name, %s", async (_where, ask) => {
    const [first, second] = [sides(), sides()];
    const both = quorum(2, [first.asks, second.asks], SILENT);
    const answer = both.resolve(ask, wait().context);
    await listed(first.desk, ask);
    expect(await first.desk.answer(ask, "Approve")).toBe("delivered");
    await listed(first.desk, ask);
    expect(await first.desk.openClaims()).toEqual([]);
    expect(await first.desk.answer(ask, ANA)).toBe("delivered");
    await listed(second.desk, ask);
    expect(await second.desk.answer(ask, BOB)).toBe("delivered");
    expect(await answer).toEqual({ resolution: "Approve", decided_by: "ana + bob" });
    await both.settled?.(ask, "completed");
    expect([await first.desk.openClaims(), await second.desk.openClaims()]).toEqual([[], []]);
  });

  it("gives up a member that approved three times without a name", async () => {
    const [first, second] = [sides(), sides()];
    const outcome = outcomeOf(quorum(2, [first.asks, second.asks], SILENT).resolve(A, wait().context));
    for (const _time of [1, 2, 3]) {
      await listed(first.desk, A);
      expect(await first.desk.answer(A, "Approve")).toBe("delivered");
    }
    expect(await outcome).toEqual({ code: "ask_unavailable" });
    await until(async () => (await second.desk.list()).length === 0, "the other is called off");
  });

  it("asks a member again that went on with the ask of a worker that died, and leaves no claim of either", async () => {
    const other = sides();
    const channel = channelOn(server, { leaseMs: 1_000 });
    const redis = client(server);
    void outcomeOf(channel.resolver({ redis }).resolve(A, wait().context));
    const desk = channel.approver();
    await listed(desk, A);
    redis.disconnect();
    const again = { ...A, id: "again" };
    const both = quorum(2, [channel.resolver(), other.asks], SILENT);
    const answer = both.resolve(again, wait().context);
    expect(await desk.answer(A, "Approve")).toBe("delivered");
    await listed(desk, again);
    await until(
      async () => (await desk.openClaims()).length === 0,
      "the claim of the first answer is closed",
    );
    expect(await desk.answer(again, ANA)).toBe("delivered");
    await listed(other.desk, again);
    expect(await other.desk.answer(again, BOB)).toBe("delivered");
    expect(await answer).toMatchObject({ decided_by: "ana + bob" });
    await both.settled?.(again, "completed");
    expect(await desk.openClaims()).toEqual([]);
  });
});

describe("an ask that is put again by the object that took its answer", () => {
  it("is asked anew: the answer before counts no more, sent again it is none to the new one, and its claim is closed", async () => {
    const { asks, desk } = sides();
    const first = asks.resolve(A, wait().context);
    await listed(desk, A);
    expect(await desk.answer(A, "Approve", { answerId: "one" })).toBe("delivered");
    expect(await first).toEqual({ resolution: "Approve" });
    const second = outcomeOf(asks.resolve(A, wait().context));
    await listed(desk, A);
    expect(await desk.openClaims()).toEqual([]);
    // Known by its answer id.
    expect(await desk.answer(A, "Approve", { answerId: "one" })).toBe("delivered");
    await listed(desk, A);
    expect(await desk.answer(A, "Deny", { answerId: "two" })).toBe("delivered");
    expect(await second).toEqual({ value: { resolution: "Deny" } });
    expect(await desk.answer(A, "Approve", { answerId: "one" })).toBe("delivered");
    expect(await desk.answer(A, "Approve")).toBe("already_answered");
    await asks.settled(A, "completed");
    expect(await desk.openClaims()).toEqual([]);
  });

  it("knows the answers of before, of which each is sent again", async () => {
    const { asks, desk } = sides();
    const given: string[] = [];
    for (const answerId of ["one", "two", "three"]) {
      const answer = asks.resolve(A, wait().context);
      await listed(desk, A);
      for (const earlier of given)
        expect(await desk.answer(A, "Approve", { answerId: earlier })).toBe("delivered");
      expect(await desk.list()).toEqual([A]);
      expect(await desk.answer(A, "Approve", { answerId })).toBe("delivered");
      await answer;
      given.push(answerId);
    }
  });

  it("comes to approvers as a new one", async () => {
    const { asks, desk } = sides();
    for (const resolution of ["Approve", "Deny"] as const) {
      const answer = asks.resolve(A, wait().context);
      expect(await desk.nextPending()).toEqual(A);
      expect(await desk.answer(A, resolution)).toBe("delivered");
      expect(await answer).toEqual({ resolution });
    }
  });

  it("ends with its call while it waits again", async () => {
    const { asks, desk } = sides();
    const first = asks.resolve(A, wait().context);
    await listed(desk, A);
    await desk.answer(A, "Approve");
    await first;
    const second = outcomeOf(asks.resolve(A, wait().context));
    await listed(desk, A);
    await asks.settled(A, "cancelled");
    expect(await second).toEqual({ code: "ask_cancelled" });
    expect([await desk.list(), await desk.openClaims()]).toEqual([[], []]);
    expect(await desk.answer(A, ANA)).toBe("cancelled");
  });

  it("is still refused to any other, which could run the call beside the first", async () => {
    const { asks, desk, resolver } = sides();
    const first = asks.resolve(A, wait().context);
    await listed(desk, A);
    await desk.answer(A, "Approve");
    await first;
    expect(await outcomeOf(resolver().resolve(A, wait().context))).toEqual({ code: "already_waiting" });
    expect(await desk.openClaims()).toHaveLength(1);
  });
});
