import { type AskResolver, PermissionGateError } from "@x/permission-core";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ApprovalChannel,
  escalate,
  fallback,
  firstAnswer,
  quorum,
  route,
  withDeadline,
} from "../../src/index.js";
import { RedisApprover, RedisAskResolver } from "../../src/redis/index.js";
import { createCallbackHandler, nodeListener, WebhookAskResolver } from "../../src/webhook/index.js";
import { serverOfFile } from "../redis/support/channels.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { callbackBody, SECRET, signedHeaders } from "./support/callbacks.js";
import { json, type Respond, startEndpoint, status } from "./support/endpoint.js";
import { PATIENTLY } from "./support/patience.js";
import { serve } from "./support/serve.js";

const LEFT = pendingAsk("left", { expires_at_ms: Date.now() + 3_600_000 });
const AGAIN = { ...LEFT, id: "again" };

const nobody: AskResolver = {
  interactive: false,
  resolve() {
    throw new PermissionGateError("ask_unavailable", "nobody is there");
  },
};

const server = await serverOfFile();

/** Callbacks for one channel, an endpoint, and workers that ask by both; each on a client of its own. */
async function deployment(respond: Respond) {
  const connect = () => {
    const redis = new Redis(server.url);
    // The outages of a test are its own.
    redis.on("error", () => {});
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  await connect().flushall();
  const desk = new RedisApprover({ redis: connect(), ...SILENT });
  onTestFinished(() => desk.close());
  const handler = createCallbackHandler({
    deliver: desk,
    secrets: [SECRET],
    mostBodyBytes: 4_000_000,
    ...SILENT,
  });
  const callbacks = await serve(nodeListener(handler));
  onTestFinished(() => callbacks.close());
  const endpoint = await startEndpoint(respond);
  return {
    desk,
    received: endpoint.received,
    worker(channelOf = (asks: AskResolver) => asks) {
      const redis = connect();
      const asks = new RedisAskResolver({ redis, leaseMs: 1_000, ...SILENT });
      const own = { url: endpoint.url, callbackUrl: callbacks.url, secrets: [SECRET] };
      const phone = new WebhookAskResolver({
        ...own,
        waitOn: channelOf(asks),
        allowPrivateNetwork: true,
        ...SILENT,
      });
      onTestFinished(async () => {
        await phone.close();
        await asks.close();
      });
      return { redis, asks, phone };
    },
    /** What the callback is told that answers the post of this number. */
    async call(at: number, fields: { [key: string]: unknown } = {}): Promise<number> {
      const { ask, token } = endpoint.received[at]?.message ?? { ask: LEFT, token: "" };
      const body = callbackBody(ask, { token, decided_by: "ana", ...fields });
      const headers = signedHeaders(body, { atMs: Date.now() });
      return (await fetch(callbacks.url, { method: "POST", headers, body })).status;
    },
  };
}

type Deployment = Awaited<ReturnType<typeof deployment>>;

/** A worker that posts its ask and dies. */
async function dyingWorker({ worker, received, desk }: Deployment): Promise<void> {
  const { redis, phone } = worker();
  void outcomeOf(phone.resolve(LEFT, wait().context));
  await expect.poll(() => received.length, PATIENTLY).toBe(1);
  expect(await desk.list()).toEqual([LEFT]);
  redis.disconnect();
}

describe("an ask by webhook that waited while Redis was away for longer than a lease, and was restarted", () => {
  it("is posted anew under another id, and answered by a callback to that post alone", async () => {
    const here = await deployment(status(202));
    const { phone } = here.worker();
    const outcome = outcomeOf(phone.resolve(LEFT, wait().context));
    await expect.poll(() => here.received.length, PATIENTLY).toBe(1);
    await server.kill();
    // A lease of the worker's runs out.
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await server.start();
    await expect.poll(() => here.received.length, PATIENTLY).toBe(2);
    const { id } = here.received[1]?.message.ask ?? LEFT;
    expect(here.received[1]?.message.ask).toEqual({ ...LEFT, id });
    expect(await here.call(0)).toBe(404);
    expect(await here.call(1)).toBe(200);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana", ask_id: id } });
    await phone.settled(LEFT, "completed");
    expect(await here.desk.openClaims()).toEqual([]);
  });
});

describe("an ask by webhook that goes on with the ask of a worker that died", () => {
  it.each([
    ["newer", 1],
    ["older", 0],
  ])(
    "is posted under the id that stands in Redis, and answered by a callback to the %s post",
    async (_which, post) => {
      const here = await deployment(status(202));
      await dyingWorker(here);
      const second = here.worker();
      const outcome = outcomeOf(second.phone.resolve(AGAIN, wait().context));
      await expect.poll(() => here.received.length, PATIENTLY).toBe(2);
      expect(here.received[1]?.message.ask).toEqual(LEFT);
      expect(await here.call(post)).toBe(200);
      expect(await outcome).toEqual({
        value: { resolution: "Approve", decided_by: "ana", ask_id: "left" },
      });
      await second.phone.settled(AGAIN, "completed");
      expect(await here.desk.openClaims()).toEqual([]);
    },
  );

  it.each<[string, (asks: AskResolver) => AskResolver]>([
    ["withDeadline", (asks) => withDeadline(asks, 60_000)],
    ["firstAnswer", (asks) => firstAnswer([asks], SILENT)],
    ["fallback", (asks) => fallback([nobody, asks], SILENT)],
    ["escalate", (asks) => escalate([{ to: nobody }, { to: asks, afterMs: 60_000 }], SILENT)],
    ["quorum", (asks) => quorum(1, [asks, nobody], SILENT)],
    ["route, chosen at once", (asks) => route(() => asks)],
    ["route, chosen later", (asks) => route(async () => asks)],
    [
      "both",
      (asks) =>
        withDeadline(
          withDeadline(
            route(() => asks),
            60_000,
          ),
          undefined,
        ),
    ],
  ])(
    "is posted under the id that stands in Redis where the channel is within %s",
    async (_name, channelOf) => {
      const here = await deployment(status(202));
      await dyingWorker(here);
      const { phone } = here.worker(channelOf);
      const outcome = outcomeOf(phone.resolve(AGAIN, wait().context));
      await expect.poll(() => here.received.length, PATIENTLY).toBe(2);
      expect(here.received[1]?.message.ask).toEqual(LEFT);
      expect(await here.call(1)).toBe(200);
      expect(await outcome).toMatchObject({ value: { resolution: "Approve", ask_id: "left" } });
      await phone.settled(AGAIN, "completed");
      expect(await here.desk.openClaims()).toEqual([]);
    },
  );

  it("is posted under both ids where another way knows it by its own, each good for its own channel", async () => {
    const here = await deployment(status(202));
    await dyingWorker(here);
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    // Held until then: an approver that is collected denies.
    onTestFinished(() => approver.close());
    const { phone } = here.worker((asks) => firstAnswer([resolver, asks]));
    const outcome = outcomeOf(phone.resolve(AGAIN, wait().context));
    await expect.poll(() => here.received.length, PATIENTLY).toBe(3);
    expect(here.received.slice(1).map(({ message }) => message.ask)).toEqual([AGAIN, LEFT]);
    expect(await here.call(1)).toBe(404);
    expect(await here.call(2)).toBe(200);
    expect(await outcome).toMatchObject({ value: { resolution: "Approve", ask_id: "left" } });
  });

  it("names that ask where the endpoint answers at once, and takes it down", async () => {
    let posts = 0;
    const here = await deployment((response, received, request) => {
      posts += 1;
      const { id, args_digest } = received.message.ask;
      const respond = posts === 1 ? status(202) : json({ id, args_digest, resolution: "Approve" });
      return respond(response, received, request);
    });
    await dyingWorker(here);
    const { phone } = here.worker();
    expect(await outcomeOf(phone.resolve(AGAIN, wait().context))).toEqual({
      value: { resolution: "Approve", ask_id: "left" },
    });
    await expect.poll(async () => (await here.desk.list()).length, PATIENTLY).toBe(0);
    expect(await here.call(0)).toBe(409);
  });
});

describe("an ask that nobody may answer", () => {
  it("is not posted where another worker waits for its call", async () => {
    const here = await deployment(status(202));
    void outcomeOf(here.worker().phone.resolve(LEFT, wait().context));
    await expect.poll(() => here.received.length, PATIENTLY).toBe(1);
    expect(await outcomeOf(here.worker().phone.resolve(AGAIN, wait().context))).toEqual({
      code: "already_waiting",
    });
    expect(here.received).toHaveLength(1);
  });
});

describe("an ask by webhook that waits over Redis", () => {
  it("is refused an answer that is too long for Redis, for good, and waits on for a shorter one", async () => {
    const here = await deployment(status(202));
    const { phone } = here.worker();
    const outcome = outcomeOf(phone.resolve(LEFT, wait().context));
    await expect.poll(() => here.received.length, PATIENTLY).toBe(1);
    const reason = "x".repeat(1_100_000);
    expect([await here.call(0, { reason }), await here.call(0, { reason })]).toEqual([400, 400]);
    expect(await here.desk.list()).toEqual([LEFT]);
    expect(await here.call(0)).toBe(200);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });
});

describe("the desk first and the phone later, on one channel", () => {
  it.each(["desk", "phone"])("is answered by the %s", async (who) => {
    const here = await deployment(status(202));
    const { asks, phone } = here.worker();
    const composed = withDeadline(escalate([{ to: asks }, { to: phone, afterMs: 50 }], SILENT), 60_000);
    const outcome = outcomeOf(composed.resolve(LEFT, wait().context));
    await expect.poll(() => here.received.length, PATIENTLY).toBe(1);
    const [shown = LEFT] = await here.desk.list();
    if (who === "phone") expect(await here.call(0)).toBe(200);
    else
      expect(await here.desk.answer(shown, { resolution: "Approve", decided_by: "ana" })).toBe("delivered");
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
    await composed.settled?.(LEFT, "completed");
    expect(await here.desk.openClaims()).toEqual([]);
    expect(await here.desk.list()).toEqual([]);
  });
});
