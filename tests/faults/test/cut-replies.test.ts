import { describe, expect, it } from "vitest";
import type { WorkerOptions } from "../src/protocol.js";
import { expectNoProcessLeft } from "./support/processes.js";
import { proxyTo } from "./support/proxied.js";
import { listed, oneListed, type Stage, stage } from "./support/stage.js";
import { pause, until } from "./support/until.js";

expectNoProcessLeft();

/** So long that nothing but the connection that comes back, or what is lost for good, can be seen in a test. */
const LONG = { timeoutMs: 20_000, leaseMs: 60_000 };

/**
 * A worker whose scripts go through the proxy, while answers are announced to it past it. It has made a call already, so it
 * knows the server's clock, and the server its scripts.
 */
async function worker(options: Partial<WorkerOptions> = {}) {
  const here = await stage();
  const proxy = await proxyTo(here);
  const listenPort = here.server.port;
  const asking = await here.worker({ port: proxy.port, listenPort, channel: LONG, ...options });
  const approver = here.approver();
  asking.call(["warm"]);
  await here.listening(1);
  expect(await approver.answer(await oneListed(approver), "Deny")).toBe("delivered");
  await asking.ending("warm");
  const isTold = async () => (await approver.openClaims()).length === 0;
  if (options.without !== "takingDown") await until(isTold, "its end is told as well");
  return { here, proxy, asking, approver };
}

/** How many times an ask was announced to approvers from now on, in order of the announcements. */
async function announcements(here: Stage): Promise<string[]> {
  const heard: string[] = [];
  const listening = here.client();
  await listening.psubscribe("*:asks");
  listening.on("pmessage", (_pattern: string, _channel: string, message: string) => {
    heard.push(...message.split("\n").filter((line) => line.startsWith("+")));
  });
  return heard;
}

describe("a connection cut when an ask was parked, before the reply", () => {
  async function cutPark(options: Partial<WorkerOptions>) {
    const setting = await worker(options);
    const { here, proxy, asking, approver } = setting;
    const heard = await announcements(here);
    proxy.dropReplies();
    asking.call(["deploy"]);
    expect(await approver.answer(await oneListed(approver), "Approve")).toBe("delivered");
    expect([asking.waiting, here.runs()]).toEqual([1, []]);
    proxy.cut();
    return { ...setting, heard };
  }

  it("parks it once although it is sent twice, and the answer given in between counts", async () => {
    const { here, asking, approver, heard } = await cutPark({});
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    expect([here.runs(), heard.length, await approver.list()]).toEqual([["deploy"], 1, []]);
    await asking.stop();
    expect(await approver.openClaims()).toEqual([]);
  }, 60_000);

  it("throws the acknowledged answer away and asks again, where parking has no token", async () => {
    const { here, asking, approver, heard } = await cutPark({ without: "parkToken" });
    await until(() => heard.length === 2, "it is announced again");
    expect(await listed(approver, 1)).toHaveLength(1);
    expect([asking.waiting, here.runs()]).toEqual([1, []]);
  }, 60_000);
});

describe("a worker that gave up parking an ask", () => {
  /** It has stored the ask, and cannot know: the reply did not come. */
  async function givenUp(options: Partial<WorkerOptions>) {
    const setting = await worker({ channel: { ...LONG, timeoutMs: 1_500 }, ...options });
    const { proxy, asking, approver } = setting;
    proxy.dropReplies();
    asking.call(["deploy"]);
    const ask = await oneListed(approver);
    const { verdict, reason } = await asking.ending("deploy");
    expect([verdict, reason]).toEqual(["ask_denied", "approval channel unavailable"]);
    return { ...setting, ask };
  }

  it("leaves no ghost behind: what it may have stored is taken down, and a late answer reads cancelled", async () => {
    const { here, proxy, asking, approver, ask } = await givenUp({});
    await listed(approver, 0);
    proxy.cut();
    expect(await approver.answer(ask, "Approve")).toBe("cancelled");
    expect([await approver.list(), here.runs()]).toEqual([[], []]);
    await asking.stop();
  }, 60_000);

  it("leaves an ask behind that takes an answer for nobody, where it is not taken down", async () => {
    const { here, proxy, approver, ask } = await givenUp({ without: "takingDown" });
    proxy.cut();
    expect((await listed(approver, 1)).map(({ id }) => id)).toEqual([ask.id]);
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    await pause(500);
    expect(here.runs()).toEqual([]);
  }, 60_000);

  /** The server sleeps when the ask comes, and wakes when the worker has given up. */
  async function givenUpOnSleeper(without?: "until") {
    const channel = { ...LONG, timeoutMs: 1_500 };
    const { here, asking, approver } = await worker(
      without === undefined ? { channel } : { channel, without },
    );
    const heard = await announcements(here);
    await here.server.pause();
    asking.call(["deploy"]);
    expect(asking.waiting).toBe(1);
    expect(await asking.ending("deploy")).toMatchObject({ reason: "approval channel unavailable" });
    here.server.resume();
    // What lay in the sockets has run once a later call has come through.
    asking.call(["later"]);
    await until(() => heard.some((message) => message.includes('"later"')), "the later ask is announced");
    return { heard, asks: await approver.list() };
  }

  it("is not announced to approvers when Redis reads the script too late", async () => {
    const { heard, asks } = await givenUpOnSleeper();
    expect(heard).toHaveLength(1);
    expect(asks.map(({ call_id }) => call_id)).toEqual(["later"]);
  }, 60_000);

  it("is announced to approvers all the same, where scripts run however late they come", async () => {
    const { heard } = await givenUpOnSleeper("until");
    expect(heard).toHaveLength(2);
  }, 60_000);
});

describe("a connection cut when an answer was written, before the reply", () => {
  async function cutAnswer(without?: "answerToken") {
    const here = await stage();
    const proxy = await proxyTo(here);
    const asking = await here.worker();
    const sides = { port: proxy.port, listenPort: here.server.port, channel: LONG };
    const answering = await here.approverProcess(without === undefined ? sides : { ...sides, without });
    asking.call(["warm", "deploy"]);
    expect(await answering.answer(await answering.ask("warm"), "Deny")).toBe("delivered");
    proxy.dropReplies();
    const status = answering.answer(await answering.ask("deploy"), "Approve");
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    // The tool ran, and whoever approved it has not heard.
    expect([here.runs(), answering.given.length]).toEqual([["deploy"], 1]);
    proxy.cut();
    return { here, asking, answering, status: await status };
  }

  it("writes it once although it is sent twice, and the approver reads delivered", async () => {
    const { here, asking, answering, status } = await cutAnswer();
    expect([status, here.runs()]).toEqual(["delivered", ["deploy"]]);
    await Promise.all([asking.stop(), answering.stop()]);
  }, 60_000);

  it("has the approver read that somebody else answered, where answers have no token", async () => {
    expect((await cutAnswer("answerToken")).status).toBe("already_answered");
  }, 60_000);
});

describe("a connection cut when an answer was taken, before the reply", () => {
  async function cutConsume(options: Partial<WorkerOptions>) {
    const setting = await worker(options);
    const { here, proxy, asking, approver } = setting;
    asking.call(["deploy"]);
    const ask = await oneListed(approver);
    proxy.dropReplies();
    expect(await approver.answer(ask, "Approve")).toBe("delivered");
    await until(async () => (await approver.openClaims()).length === 1, "the answer is taken");
    expect([asking.waiting, here.runs()]).toEqual([1, []]);
    return { ...setting, ask };
  }

  it("takes it once although it is sent twice: the tool runs once, and another worker does not take it", async () => {
    const { here, proxy, asking, approver, ask } = await cutConsume({});
    const other = await here.worker();
    other.call(["deploy"]);
    const anew = await oneListed(approver);
    expect(anew.id).not.toBe(ask.id);
    proxy.cut();
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "ask_allowed", askId: ask.id });
    expect([other.waiting, here.runs()]).toEqual([1, ["deploy"]]);
    expect(await approver.answer(anew, "Deny")).toBe("delivered");
    await other.ending("deploy");
    await Promise.all([asking.stop(), other.stop()]);
    expect([here.runs(), await approver.openClaims()]).toEqual([["deploy"], []]);
  }, 60_000);

  it("loses the approval, where taking it has no token", async () => {
    const { here, proxy, asking, approver } = await cutConsume({ without: "consumeToken" });
    proxy.cut();
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "ask_denied" });
    expect([here.runs(), await approver.list()]).toEqual([[], []]);
  }, 60_000);
});

describe("a connection cut when an end was told, before the reply", () => {
  it("takes a cancelled ask down once and for all", async () => {
    const { here, proxy, asking, approver } = await worker();
    asking.call(["deploy"]);
    const ask = await oneListed(approver);
    proxy.dropReplies();
    expect(asking.waiting).toBe(1);
    asking.cancel("deploy");
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "cancelled" });
    await listed(approver, 0);
    proxy.cut();
    asking.call(["later"]);
    expect(await oneListed(approver)).toMatchObject({ call_id: "later" });
    expect([await approver.answer(ask, "Approve"), here.runs()]).toEqual(["cancelled", []]);
  }, 60_000);

  /** The tool has run and its end is to be told, when the way to Redis is closed for a second. */
  async function endsBehindAPartition(without?: "takingDown") {
    const options = { holdsRuns: true, channel: { timeoutMs: 1_000, leaseMs: 2_000 } };
    const { here, proxy, asking, approver } = await worker(
      without === undefined ? options : { ...options, without },
    );
    const isClaimed = async () => {
      const claims = await approver.openClaims();
      return claims.some(({ ask }) => ask.call_id === "deploy");
    };
    asking.call(["deploy"]);
    expect(await approver.answer(await oneListed(approver), "Approve")).toBe("delivered");
    await until(() => here.runs().length === 1, "the tool runs");
    expect([asking.waiting, await isClaimed()]).toEqual([1, true]);
    proxy.partition();
    asking.finish();
    // The call has its result, whatever became of the way to Redis.
    expect(await asking.ending("deploy")).toMatchObject({ verdict: "ask_allowed" });
    await pause(1_000);
    expect(await isClaimed()).toBe(true);
    proxy.restore();
    return { asking, isClaimed };
  }

  it("closes the claim of a call that ended in a partition, once the way is open again", async () => {
    const { asking, isClaimed } = await endsBehindAPartition();
    await until(async () => !(await isClaimed()), "the claim is closed");
    await asking.stop();
  }, 60_000);

  it("leaves its claim open, where ends are not written", async () => {
    const { isClaimed } = await endsBehindAPartition("takingDown");
    await pause(2_000);
    expect(await isClaimed()).toBe(true);
  }, 60_000);
});
