import { describe, expect, it } from "vitest";
import { escalate, firstAnswer, withDeadline } from "../../src/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const A = pendingAsk("A");
const YES = { resolution: "Approve", decided_by: "ana" } as const;

const server = await serverOfFile();

function sides(options: Parameters<typeof channelOn>[1] = {}) {
  const channel = channelOn(server, options);
  return { ...channel, asks: channel.resolver(), desk: channel.approver() };
}

describe("the same ask put twice to one resolver", () => {
  it("waits once, and both get the answer and hear that it is parked", async () => {
    const { asks, desk } = sides();
    const parked: string[] = [];
    const put = (name: string) =>
      asks.resolve(A, {
        ...wait().context,
        onParked: ({ id, args_digest }) => void parked.push(`${name} ${id} ${args_digest}`),
      });
    const answers = [put("first"), put("second")];
    await until(() => parked.length === 2, "it is parked");
    answers.push(put("third"));
    expect(parked).toEqual(["first", "second", "third"].map((name) => `${name} A ${A.args_digest}`));
    expect(await desk.list()).toEqual([A]);
    expect(await desk.answer(A, YES)).toBe("delivered");
    expect(await Promise.all(answers)).toEqual([YES, YES, YES]);
    expect(await desk.openClaims()).toHaveLength(1);
    await asks.settled(A, "completed");
    expect(await desk.openClaims()).toEqual([]);
  });

  it("is called off when the last who put it has left, whichever that is", async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { asks, desk } = sides();
      const waits = [wait(), wait()] as const;
      const outcomes = waits.map(({ context }) => outcomeOf(asks.resolve(A, context)));
      await until(async () => (await desk.list()).length === 1, "it is parked");
      waits[order[0]].answeredElsewhere();
      expect(await outcomes[order[0]]).toEqual({ code: "ask_answered" });
      expect(await desk.list()).toEqual([A]);
      waits[order[1]].cancel();
      expect(await outcomes[order[1]]).toEqual({ code: "ask_cancelled" });
      await until(async () => (await desk.list()).length === 0, "it is taken down");
      expect(await desk.answer(A, YES)).toBe("cancelled");
    }
  });

  it("leaves nobody waiting where one's listener throws, and the others go on", async () => {
    const { asks, desk } = sides();
    const failing = outcomeOf(
      asks.resolve(A, {
        ...wait().context,
        onParked: () => {
          throw new Error("broken");
        },
      }),
    );
    const other = asks.resolve(A, wait().context);
    expect(await failing).toEqual({ code: "Error: broken" });
    await desk.answer(A, YES);
    expect(await other).toEqual(YES);
  });

  it("fails for all who put it where Redis is out of reach", async () => {
    const channel = channelOn(server);
    const redis = client({ port: 1 });
    const asks = channel.resolver({ redis, timeoutMs: 200 });
    const outcomes = [1, 2].map(() => outcomeOf(asks.resolve(A, wait().context)));
    expect(await Promise.all(outcomes)).toEqual([{ code: "ask_unavailable" }, { code: "ask_unavailable" }]);
  });

  it("takes over an ask that was left, and both learn which", async () => {
    const channel = channelOn(server, { leaseMs: 1_000 });
    const redis = client(server);
    void outcomeOf(channel.resolver({ redis }).resolve(A, wait().context));
    const desk = channel.approver();
    await until(async () => (await desk.list()).length === 1, "it is parked");
    redis.disconnect();
    const asks = channel.resolver();
    const again = { ...A, id: "again" };
    const parked: string[] = [];
    const context = { ...wait().context, onParked: ({ id }: { id: string }) => void parked.push(id) };
    const answers = [asks.resolve(again, context)];
    await until(() => parked.length === 1, "it has taken over");
    answers.push(asks.resolve(again, context));
    expect(parked).toEqual(["A", "A"]);
    expect(await desk.answer(A, YES)).toBe("delivered");
    expect(await Promise.all(answers)).toEqual([1, 2].map(() => ({ ...YES, ask_id: "A" })));
    await asks.settled(again, "completed");
    expect(await desk.openClaims()).toEqual([]);
  });
});

describe("a composition that reaches one resolver by two ways", () => {
  it("firstAnswer gives the one answer, and closes the claim once the call has ended", async () => {
    const { asks, desk } = sides();
    const composed = firstAnswer([asks, escalate([{ to: asks }])]);
    const answer = composed.resolve(A, wait().context);
    await until(async () => (await desk.list()).length === 1, "it is parked");
    expect(await desk.answer(A, YES)).toBe("delivered");
    expect(await answer).toEqual(YES);
    expect(await desk.openClaims()).toHaveLength(1);
    await composed.settled?.(A, "completed");
    expect(await desk.openClaims()).toEqual([]);
  });

  it("escalate asks by the second way too, and denies nothing by itself", async () => {
    const { asks, desk } = sides();
    const composed = withDeadline(
      escalate([{ to: asks }, { to: firstAnswer([asks]), afterMs: 30 }], SILENT),
      60_000,
    );
    const outcome = outcomeOf(composed.resolve(A, wait().context));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [shown] = await desk.list();
    expect(shown).toMatchObject({ id: "A" });
    expect(await desk.answer(shown ?? A, "Deny")).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Deny" } });
  });

  it("is called off as a whole", async () => {
    const { asks, desk } = sides();
    const waiting = wait();
    const outcome = outcomeOf(firstAnswer([asks, asks]).resolve(A, waiting.context));
    await until(async () => (await desk.list()).length === 1, "it is parked");
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    await until(async () => (await desk.list()).length === 0, "it is taken down");
  });
});
