import { NIL_UUID } from "@x/permission-core";
import { type RedisProcess, TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, wait } from "../support/asks.js";
import { channelOn, client, ownServer, serverName, until } from "./support/channels.js";
import {
  call,
  expectAskedAnew,
  expectNothingLeft,
  FIRST,
  firstWorker,
  heldBack,
  leaseEnds,
  ONE,
  runElsewhere,
  SHARED,
  takeElsewhere,
  YES,
} from "./support/first-worker.js";

const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];

describe("an approval that another worker took while this one was cut off, in a Redis that knows of neither", () => {
  it("does not run the call again, sent once more before this one is back: it is asked anew", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    await runElsewhere(here);
    await here.restart();
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("delivered");
    here.restore();
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });

  it("does not run the call again, sent once more when this one is back, also where it demands an approver", async () => {
    const here = await firstWorker(await ownServer(), { requireApprover: true });
    const first = await here.cut();
    await runElsewhere(here);
    await here.restart();
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("cancelled");
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });

  it("does not run the call again at a replica that took over", async () => {
    const [server, replica] = [await ownServer(["--repl-diskless-sync-delay", "0"]), await ownServer()];
    const here = await firstWorker(server);
    const there = client(replica);
    const approver = channelOn(replica, SHARED).approver();
    await there.replicaof("127.0.0.1", server.port);
    const first = await here.cut();
    await until(async () => (await there.exists("{renewed}:ask:first")) === 1, "the ask is replicated");
    await there.replicaof("NO", "ONE");
    await runElsewhere(here);
    expect(await approver.answer(FIRST, YES, ONE)).toBe("delivered");
    here.restore(replica.port);
    await expectAskedAnew({ ...here, approver }, first);
    await expectNothingLeft(there);
  });

  it("does not run the call again where this one had gone on with that ask itself", async () => {
    const server = await ownServer();
    const here = await firstWorker(server);
    const mortal = client(server);
    void outcomeOf(here.channel.resolver({ redis: mortal }).resolve(FIRST, wait().context));
    await until(async () => (await here.approver.list()).length === 1, "it is listed");
    mortal.disconnect();
    const own = call("own");
    const first = await here.cut(own);
    expect(here.parked).toEqual(["first"]);
    await runElsewhere(here);
    await here.restart();
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("delivered");
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    const id = here.idNow();
    expect(await here.approver.answer({ ...own, id }, "Deny")).toBe("delivered");
    expect(await first.answer).toEqual({ value: { resolution: "Deny", ask_id: id } });
    // By the id that its answer gave.
    await here.worker.settled({ ...own, id }, "completed");
    await expectNothingLeft(here.admin);
  });

  it("is given to none of several that wait for one ask here: all hear of the other, and get its answer", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    const second = here.waitFor(FIRST);
    expect(here.parked).toEqual(["first", "first"]);
    await runElsewhere(here);
    await here.restart();
    here.restore();
    await until(() => here.parked.length === 4, "both hear of it");
    const id = here.idNow();
    expect(here.parked.slice(2)).toEqual([id, id]);
    expect(await here.approver.answer({ ...FIRST, id }, "Deny")).toBe("delivered");
    const value = { resolution: "Deny", ask_id: id };
    expect(await Promise.all([first.answer, second.answer])).toEqual([{ value }, { value }]);
  });

  it("ends this one, where yet another asked about the call before it was back", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    await runElsewhere(here);
    await here.restart();
    const worker = here.channel.resolver({ leaseMs: 60_000 });
    const third = outcomeOf(worker.resolve(call("third"), wait().context));
    await until(
      async () => (await here.approver.list()).some(({ id }) => id === "third"),
      "it is asked again",
    );
    here.restore();
    expect(await first.answer).toEqual({ code: "ask_unavailable" });
    expect(here.parked).toEqual(["first"]);
    expect(await here.approver.list()).toEqual([call("third")]);
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("cancelled");
    expect(await here.approver.answer(call("third"), "Deny")).toBe("delivered");
    expect(await third).toEqual({ value: { resolution: "Deny" } });
  });
});

describe("an approval that another worker took while this one was cut off, in a Redis that knows of the taking", () => {
  it("ends this one, and is not asked about anew, while the call runs there", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    const { take, settle } = await takeElsewhere(here);
    await take();
    await here.restart();
    here.restore();
    expect(await first.answer).toEqual({ code: "already_waiting" });
    expect(here.parked).toEqual(["first"]);
    expect(await here.approver.list()).toEqual([]);
    await settle();
    await expectNothingLeft(here.admin);
  });

  it("does not run the call again where Redis has forgotten it just after this one heard that another waits", async () => {
    const server = await ownServer();
    const redis = client(server);
    let before: (args: unknown[]) => Promise<void> = async () => {};
    for (const name of ["eval", "evalsha"] as const) {
      const run = redis[name].bind(redis) as (...args: unknown[]) => Promise<unknown>;
      const delayed = async (...args: unknown[]) => {
        await before(args);
        return run(...args);
      };
      Object.assign(redis, { [name]: delayed });
    }
    // The other one takes it for dead before it doubts its ask itself.
    const here = await firstWorker(server, { redis, leaseMs: 3_000 });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await here.admin.save();
    let [isSilent, isHeard, isLate] = [true, false, true];
    before = () => until(() => !isSilent, "it is back");
    const { take, settle } = await takeElsewhere(here);
    before = async (args) => {
      if (!args.includes("find")) return;
      isHeard = true;
      await until(() => !isLate, "it is put anew");
    };
    isSilent = false;
    await until(() => isHeard, "it hears of the other");
    await take();
    await settle();
    await here.restart();
    isLate = false;
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });
});

describe("an approval that this worker took, of which it hears only when Redis knows nothing of that any more", () => {
  // So long that the answer is taken before there is any doubt.
  const TAKING_MS = 1_500;

  async function taken(server: RedisProcess) {
    const { redis, gate, shut } = await heldBack(server);
    const here = await firstWorker(server, { redis, leaseMs: TAKING_MS });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await here.admin.save();
    shut();
    expect(await here.approver.answer(FIRST, YES, ONE)).toBe("delivered");
    await until(
      async () => (await here.admin.hget("{renewed}:ask:first", "state")) === "claimed",
      "it is taken",
    );
    // Counted from its last sign of life, which came up to a third of it after that.
    await leaseEnds((TAKING_MS * 4) / 3);
    return { here, first, gate };
  }

  it("does not count, and its claim is closed: the call is asked about anew", async () => {
    const { here, first, gate } = await taken(await ownServer());
    await here.restart();
    await until(async () => (await here.admin.ping()) === "PONG", "it is there");
    gate.open();
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });

  it("does not count, and its claim is closed, also where Redis knows of it", async () => {
    const { here, first, gate } = await taken(await ownServer(DURABLE));
    await here.restart();
    await until(async () => (await here.admin.ping()) === "PONG", "it is there");
    expect(await here.approver.openClaims()).toHaveLength(1);
    gate.open();
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });

  it("counts where Redis was the same throughout", async () => {
    const { here, first, gate } = await taken(await ownServer());
    gate.open();
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });

  it("would not count for another worker either, before this one has seen that Redis is another", async () => {
    const server = await ownServer();
    const proxy = await TcpProxy.start(server);
    onTestFinished(() => proxy.close());
    const { redis, gate, shut } = await heldBack(proxy);
    const here = await firstWorker(server, { redis });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    const [name, before] = await here.admin.hmget("{renewed}:ask:first", "server", "lease");
    expect(name).toBe(await serverName(here.admin));
    await here.admin.save();
    proxy.partition();
    await leaseEnds();
    await here.restart();
    shut();
    proxy.restore();
    const seen = () => here.admin.hmget("{renewed}:ask:first", "server", "lease");
    await until(async () => Number((await seen())[1]) > Number(before), "it gives a sign of life");
    expect((await seen())[0]).toBe(name);
    gate.open();
    await expectAskedAnew(here, first);
  });

  it("is not asked about anew where the call was called off meanwhile", async () => {
    const { here, first, gate } = await taken(await ownServer());
    await here.restart();
    first.cancel();
    gate.open();
    expect(await first.answer).toEqual({ code: "ask_cancelled" });
    await until(
      async () => (await here.admin.hget("{renewed}:ask:first", "state")) === "ended",
      "it is told",
    );
    await leaseEnds();
    expect(here.parked).toEqual(["first"]);
    expect(await here.approver.list()).toEqual([]);
    await expectNothingLeft(here.admin);
  });
});

describe("a wait that was cut off from Redis for longer than its lease", () => {
  it("is answered once, under another id, where Redis was restarted, though nothing was lost", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    await leaseEnds();
    await here.restart();
    here.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, "Approve")).toBe("cancelled");
    await expectAskedAnew(here, first);
    await expectNothingLeft(here.admin);
  });

  it("is asked about once more each time", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    for (const times of [2, 3]) {
      await leaseEnds();
      await here.restart();
      here.restore();
      await until(() => here.parked.length === times, "it is asked anew");
      if (times === 2) here.partition();
    }
    for (const id of here.parked.slice(0, 2))
      expect(await here.approver.answer({ ...FIRST, id }, "Approve")).toBe("cancelled");
    await expectAskedAnew(here, first, 2);
    await expectNothingLeft(here.admin);
  });

  it("is called off, and leaves nothing, where its caller left meanwhile", async () => {
    const here = await firstWorker(await ownServer(DURABLE));
    const first = await here.cut();
    await leaseEnds();
    await here.restart();
    first.cancel();
    here.restore();
    expect(await first.answer).toEqual({ code: "ask_cancelled" });
    await until(async () => (await here.approver.list()).length === 0, "it is taken down");
    expect(here.parked).toEqual(["first"]);
    expect(await here.approver.answer(FIRST, "Approve")).toBe("cancelled");
    await expectNothingLeft(here.admin);
  });

  it("keeps its id where Redis was the same throughout, and reads what was answered meanwhile", async () => {
    const here = await firstWorker(await ownServer());
    const first = await here.cut();
    expect(await here.approver.answer(FIRST, YES)).toBe("delivered");
    await leaseEnds();
    here.restore();
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });

  it("keeps its id where Redis stood still", async () => {
    const server = await ownServer();
    const here = await firstWorker(server);
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    await server.pause();
    await leaseEnds();
    server.resume();
    const lease = async () => Number(await here.admin.hget("{renewed}:ask:first", "lease"));
    const before = await lease();
    await until(async () => (await lease()) > before, "it gives a sign of life");
    expect(await here.approver.answer(FIRST, YES)).toBe("delivered");
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });

  it("keeps its id where no other process can go on with its call", async () => {
    const here = await firstWorker(await ownServer());
    const ask = call("first", { run_id: NIL_UUID });
    const first = await here.cut(ask);
    await leaseEnds();
    await here.restart();
    const before = await here.admin.hget("{renewed}:ask:first", "lease");
    here.restore();
    await until(async () => (await here.admin.hget("{renewed}:ask:first", "lease")) !== before, "it is back");
    expect(await here.approver.answer(ask, YES)).toBe("delivered");
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });
});

describe("a wait that was cut off from Redis for less than its lease", () => {
  it("keeps its id, where Redis was restarted from a snapshot", async () => {
    const here = await firstWorker(await ownServer(), { leaseMs: 60_000 });
    const first = await here.cut();
    await here.restart();
    const before = await here.admin.hget("{renewed}:ask:first", "lease");
    here.restore();
    await until(async () => (await here.admin.hget("{renewed}:ask:first", "lease")) !== before, "it is back");
    expect(await here.approver.answer(FIRST, YES)).toBe("delivered");
    expect(await first.answer).toEqual({ value: YES });
    expect(here.parked).toEqual(["first"]);
  });
});

describe("a wait at a Redis that does not tell which server it is", () => {
  it("is asked about anew once it was cut off for longer than its lease", async () => {
    const server = await ownServer();
    await client(server).call("ACL", "SETUSER", "blind", "on", "nopass", "~*", "&*", "+@all", "-info");
    const proxy = await TcpProxy.start(server);
    onTestFinished(() => proxy.close());
    const redis = client(proxy, { username: "blind", password: "any", enableReadyCheck: false });
    const here = await firstWorker(server, { redis, leaseMs: 3_000 });
    const first = here.waitFor(FIRST);
    await until(() => here.parked.length === 1, "it waits");
    proxy.partition();
    await leaseEnds(3_000);
    proxy.restore();
    await until(() => here.parked.length === 2, "it is asked anew");
    expect(await here.approver.answer(FIRST, "Approve")).toBe("cancelled");
    await expectAskedAnew(here, first);
  });
});
