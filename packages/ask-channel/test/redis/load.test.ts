import { getEventListeners } from "node:events";
import { TcpProxy } from "@x/redis-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { channelOn, client, serverOfFile, until } from "./support/channels.js";

const many = Array.from({ length: 10_000 }, (_, at) => pendingAsk(`ask-${at}`));

const server = await serverOfFile();

describe("ten thousand asks at once", () => {
  it("all get their own answer, without a warning, and leave no key, connection, listener or memory of them", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    onTestFinished(() => void process.off("warning", onWarning));
    const [asking, answering, admin] = [client(server), client(server), client(server)];
    const channel = channelOn(server, { timeoutMs: 60_000, endingsMs: 500, leaseMs: 3_000 });
    const resolver = channel.resolver({ redis: asking });
    const approver = channel.approver({ redis: answering });
    const { context, signal, cancel } = wait();
    const listenersOf = () =>
      [asking, answering].map((redis) =>
        redis.eventNames().reduce((sum, name) => sum + redis.listenerCount(name), 0),
      );
    const through = async (ask: (typeof many)[number]) => {
      const answer = resolver.resolve(ask, context);
      const shown = await approver.nextPending();
      if (shown !== null) await approver.answer(shown, { resolution: "Deny", reason: shown.id });
      return answer;
    };
    await through(pendingAsk("first"));
    await resolver.settled(pendingAsk("first"), "completed");
    const state = async () => ({
      connections: String(await admin.client("LIST"))
        .trim()
        .split("\n").length,
      listeners: listenersOf(),
      onSignal: getEventListeners(signal, "abort").length,
      known: approver.load(),
    });
    const before = await state();

    const answers = many.map((ask) => resolver.resolve(ask, context));
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    const answered: Promise<unknown>[] = [];
    const order: string[] = [];
    for (let at = 0; at < many.length; at += 1) {
      const shown = await approver.nextPending();
      if (shown === null) break;
      order.push(shown.id);
      answered.push(approver.answer(shown, { resolution: "Deny", reason: shown.id }));
    }
    expect(order).toEqual(many.map(({ id }) => id));
    expect(new Set(await Promise.all(answered))).toEqual(new Set(["delivered"]));
    expect(await Promise.all(answers)).toEqual(many.map(({ id }) => ({ resolution: "Deny", reason: id })));
    await Promise.all(many.map((ask) => resolver.settled(ask, "denied")));

    const cancelled = many
      .slice(0, 2_000)
      .map((ask) => outcomeOf(resolver.resolve({ ...ask, id: `c-${ask.id}` }, context)));
    await until(async () => (await admin.zcard(`${channel.base}index`)) === 2_000, "they wait");
    cancel();
    expect(new Set((await Promise.all(cancelled)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set(['{"code":"ask_cancelled"}']),
    );
    await until(() => approver.load().known === 0, "the approver knows of none");
    expect({ ...(await state()), onSignal: 0 }).toEqual({ ...before, onSignal: 0 });
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    // What is left is the approver's own mark, until it leaves.
    await until(async () => (await admin.dbsize()) === 1, "no key of an ask is left");
    expect(await admin.keys("*")).toEqual([`${channel.base}approvers`]);
    await approver.close();
    await resolver.close();
    await until(async () => (await admin.dbsize()) === 0, "no key is left");
    await until(
      async () => (await state()).connections === before.connections - 2,
      "no connection of its own is left",
    );
    expect(channel.reports).toEqual([]);
    expect(warnings).toEqual([]);
  }, 60_000);
});

describe("a thousand asks in series", () => {
  it("[CASE-172] take no more connections than one did, and none is left by one that was cut", async () => {
    const proxy = await TcpProxy.start(server);
    const admin = client(server);
    const redis = client(proxy);
    const channel = channelOn(server, { redis });
    const [resolver, approver] = [channel.resolver(), channel.approver()];
    const counts = async () => ({
      connections: String(await admin.client("LIST"))
        .trim()
        .split("\n").length,
      listeners: redis.eventNames().map((name) => redis.listenerCount(name)),
    });
    let before: Awaited<ReturnType<typeof counts>> | null = null;
    for (let at = 0; at < 1_000; at += 1) {
      const ask = pendingAsk(`series-${at}`);
      const answer = resolver.resolve(ask, wait().context);
      const shown = await approver.nextPending();
      await approver.answer(shown ?? ask, "Deny", { answerId: ask.id });
      await answer;
      await resolver.settled(ask, "denied");
      // The client itself has other listeners once its connection was cut.
      if (at === 1) before = await counts();
      if (at % 200 === 0) proxy.cut();
    }
    await until(
      async () => (await counts()).connections === before?.connections,
      "as many connections as at first",
    );
    expect(await counts()).toEqual(before);
    await proxy.close();
  }, 60_000);
});
