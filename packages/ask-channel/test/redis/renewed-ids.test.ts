import { describe, expect, it } from "vitest";
import { quorum } from "../../src/index.js";
import type { AskName } from "../../src/tells-parked.js";
import { outcomeOf, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { client, ownServer, until } from "./support/channels.js";
import {
  expectAskedAnew,
  expectNothingLeft,
  FIRST,
  firstWorker,
  leaseEnds,
  ONE,
  runElsewhere,
  YES,
} from "./support/first-worker.js";

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];

/** A client that waits for `heard` once Redis has stored an ask, before it tells of that. */
function hearing(server: { port: number }, heard: () => unknown) {
  const redis = client(server);
  for (const name of ["eval", "evalsha"] as const) {
    const run = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
    const delayed = async (...args: unknown[]) => {
      const reply = await run(...args);
      if (args.includes("find") || args.includes("renew")) await heard();
      return reply;
    };
    Object.assign(redis, { [name]: delayed });
  }
  return redis;
}

describe("the id under which an ask is asked anew", () => {
  it("is told where the reply to its parking was lost, and nobody is told the earlier one meanwhile", async () => {
    const server = await ownServer(DURABLE);
    let losses = 0;
    const redis = hearing(server, () => {
      if (losses === 0) return;
      losses -= 1;
      throw new Error("the reply was lost");
    });
    const here = await firstWorker(server, { redis });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await server.pause();
    await leaseEnds();
    losses = 1;
    await here.restart();
    await until(() => losses === 0, "the reply is lost");
    const second = here.waitFor(FIRST);
    await until(() => here.parked.length === 3, "both are told");
    const id = here.idNow();
    expect(here.parked).toEqual(["first", id, id]);
    here.parked.pop();
    await expectAskedAnew(here, first);
    expect(await second.answer).toEqual(await first.answer);
  });
});

describe("what `onParked` is told of an ask that is asked anew", () => {
  it("names the id before that was told, which counts no more; and nothing of it to whoever comes later", async () => {
    const server = await ownServer(DURABLE);
    const here = await firstWorker(server);
    const told: AskName[] = [];
    const put = () => {
      const onParked = (stored: AskName) => void told.push(stored);
      return outcomeOf(here.worker.resolve(FIRST, { ...wait().context, onParked }));
    };
    const first = put();
    for (const times of [1, 2]) {
      await until(() => told.length === times, "it waits");
      here.partition();
      await leaseEnds();
      await here.restart();
      here.restore();
    }
    await until(() => told.length === 3, "it is asked anew");
    const second = put();
    const { args_digest } = FIRST;
    const [, renewed, last] = told.map(({ id }) => id);
    expect(told).toEqual([
      { id: "first", args_digest },
      { id: renewed, args_digest, instead: "first" },
      { id: last, args_digest, instead: renewed },
      { id: last, args_digest },
    ]);
    expect(await here.approver.answer({ ...FIRST, id: last ?? "" }, "Deny")).toBe("delivered");
    expect(await first).toEqual(await second);
  });
});

describe("an answer that was stored to an ask that is asked anew", () => {
  it("is passed over and reported, once; and the earlier id reads as answered", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    await leaseEnds();
    await here.restart();
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("delivered");
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, "Deny")).toBe("already_answered");
    await expectAskedAnew(here, first);
    const passedOver = here.channel.reports.filter(({ message }) => message.startsWith("ask first: "));
    expect(passedOver).toEqual([
      {
        level: "warn",
        message: "ask first: an answer to it is passed over, since it is asked anew",
        cause: undefined,
      },
    ]);
    await expectNothingLeft(here.admin);
  });
});

describe("an ask of which the first that is heard comes a lease or more after it was put", () => {
  it("is asked anew, since what tells of it may be another Redis than took it", async () => {
    const server = await ownServer();
    const redis = hearing(server, () => leaseEnds());
    const here = await firstWorker(server, { redis });
    const first = here.waitFor(FIRST);
    await until(async () => (await here.approver.list()).length === 1, "it is listed");
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, "Approve")).toBe("cancelled");
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });
});

describe("an ask of which its Redis knows nothing any more", () => {
  const FORGETFUL = { endingsMs: 500 };

  it("is asked anew where its worker was cut off for a lease, since another may have run the call before", async () => {
    const here = await firstWorker(await ownServer(), {}, FORGETFUL);
    const first = await here.cut();
    await runElsewhere(here);
    await until(async () => (await here.admin.exists("{renewed}:ask:first")) === 0, "its end is forgotten");
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("unknown");
    const { answer } = first;
    const ask = { ...FIRST, id: here.idNow() };
    expect(await here.approver.answer(ask, "Deny")).toBe("delivered");
    expect(await answer).toEqual({ value: { resolution: "Deny", ask_id: ask.id } });
  });

  it("keeps its id where its worker was there all the time", async () => {
    const here = await firstWorker(await ownServer(), { leaseMs: 3_000 });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await here.admin.flushall();
    await until(async () => (await here.approver.list()).length === 1, "it is listed again");
    expect(await here.approver.answer(FIRST, YES)).toBe("delivered");
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });
});

describe("an ask that is put once more after its id was given up", () => {
  it("never waits under that id again: a quorum that asks anew is not given what another worker took", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut(FIRST, quorum(1, [here.worker], SILENT));
    await runElsewhere(here);
    await here.restart();
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    const renewed = { ...FIRST, id: here.idNow() };
    // A quorum counts no approval that nobody signed with a name.
    expect(await here.approver.answer(renewed, "Approve")).toBe("delivered");
    await until(() => here.parked.length === 3, "it is asked once more");
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("cancelled");
    expect(await here.approver.answer(renewed, YES)).toBe("already_answered");
    await expectAskedAnew(here, first, 2);
    await expectNothingLeft(here.admin);
  });

  it("has a new id from the start, though it was settled before, and ends with its call all the same", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    await leaseEnds();
    await here.restart();
    here.restore();
    await expectAskedAnew(here, first);
    const second = here.waitFor(FIRST);
    await until(() => here.parked.length === 3, "it waits");
    expect(new Set(here.parked).size).toBe(3);
    expect(await here.approver.list()).toEqual([{ ...FIRST, id: here.idNow() }]);
    expect(await here.approver.answer(FIRST, YES)).toBe("cancelled");
    await here.worker.settled(FIRST, "cancelled");
    expect(await second.answer).toEqual({ code: "ask_cancelled" });
    await expectNothingLeft(here.admin);
  });

  it("is in doubt from the start where the wait before it was cut off until it ended", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    await runElsewhere(here);
    await here.restart();
    first.cancel();
    expect(await first.answer).toEqual({ code: "ask_cancelled" });
    here.restore();
    await here.redis.ping();
    const second = here.waitFor(FIRST);
    await until(() => here.parked.length === 3, "it is asked anew");
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("cancelled");
    expect(here.parked.slice(0, 2)).toEqual(["first", "first"]);
    here.parked.shift();
    await expectAskedAnew(here, second);
    await expectNothingLeft(here.admin);
  });

  it("keeps its id where Redis was the same throughout", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    await leaseEnds();
    first.cancel();
    here.restore();
    await here.redis.ping();
    const second = here.waitFor(FIRST);
    await until(() => here.parked.length === 2, "it waits");
    await leaseEnds();
    expect(await here.approver.answer(FIRST, YES)).toBe("delivered");
    expect(await second.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first", "first"]);
  });
});
