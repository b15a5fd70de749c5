import { getEventListeners } from "node:events";
import type { PendingAsk } from "@x/permission-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { ApprovalChannel, fallback, firstAnswer } from "../../src/index.js";
import {
  createCallbackHandler,
  createWebhookApprovals,
  nodeListener,
  type WebhookApprovalsOptions,
  WebhookAskResolver,
} from "../../src/webhook/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { callbackBody, callbackRequest, SECRET, signedHeaders } from "./support/callbacks.js";
import { json, type Respond, startEndpoint, status } from "./support/endpoint.js";
import { hastyClock } from "./support/hasty-clock.js";
import { PATIENTLY } from "./support/patience.js";
import { serve } from "./support/serve.js";

const A = pendingAsk("A", { details: "rm -rf build" });
const UNAVAILABLE = { code: "ask_unavailable" };

/** A host with both ends and a real server for callbacks, beside an endpoint that responds so. */
async function setUp(respond: Respond, options: Partial<Omit<WebhookApprovalsOptions, "url">> = {}) {
  let handle = (_request: Request): Promise<Response> => Promise.reject(new Error("not yet"));
  const callbacks = await serve(nodeListener((request) => handle(request)));
  const endpoint = await startEndpoint(respond);
  const approvals = createWebhookApprovals({
    url: endpoint.url,
    callbackUrl: callbacks.url,
    secrets: [SECRET],
    allowPrivateNetwork: true,
    ...SILENT,
    ...options,
  });
  handle = approvals.handler;
  onTestFinished(async () => {
    await approvals.close();
    await callbacks.close();
  });
  /** Calls back as the endpoint does: with what the ask came with. */
  const callBack = async (fields: { [key: string]: unknown } = {}, of = endpoint.received.at(-1)) => {
    const { ask, token, callback_url } = of?.message ?? { ask: A, token: "", callback_url: callbacks.url };
    const body = callbackBody(ask, { token, ...fields });
    const headers = signedHeaders(body, { id: crypto.randomUUID(), atMs: Date.now() });
    const response = await fetch(callback_url, { method: "POST", headers, body });
    return [response.status, ((await response.json()) as { status: string }).status];
  };
  const posted = (times = 1) => expect.poll(() => endpoint.received.length, PATIENTLY).toBe(times);
  return { ...approvals, ...endpoint, callbackUrl: callbacks.url, callBack, posted };
}

describe("an ask that the endpoint takes, to answer later", () => {
  it("is answered by callback, over HTTP both ways", async () => {
    const { askResolver, callBack, posted, received, callbackUrl } = await setUp(status(202));
    const waiting = wait();
    const outcome = outcomeOf(askResolver.resolve(A, waiting.context));
    await posted();
    expect(received[0]?.message).toEqual({ ask: A, callback_url: callbackUrl, token: expect.any(String) });
    expect(await callBack({ decided_by: "ana" })).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
    expect(await callBack({ decided_by: "bob" })).toEqual([409, "already_answered"]);
    expect(getEventListeners(waiting.signal, "abort")).toHaveLength(0);
  });

  it("waits on, though the response to it hangs after its status or has a body without end", async () => {
    const { askResolver, callBack, posted } = await setUp((response) => response.writeHead(202).write(" "), {
      attemptTimeoutMs: 50,
    });
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await posted();
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(await callBack()).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("can be answered before its response has come, which is then not waited for", async () => {
    const { askResolver, callBack, received } = await setUp(() => {});
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    expect(await callBack()).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("[CASE-177] tells who answers when whoever asked is gone: cancelled, expired, answered elsewhere, closed", async () => {
    const { askResolver, callBack, posted, received, close } = await setUp(status(202));
    const asks = ["cancelled", "expired", "elsewhere", "closed"].map((id) => pendingAsk(id));
    const waits = asks.map((ask) => {
      const waiting = wait();
      return { ...waiting, outcome: outcomeOf(askResolver.resolve(ask, waiting.context)) };
    });
    await posted(4);
    waits[0]?.cancel();
    waits[1]?.expire();
    waits[2]?.answeredElsewhere();
    await close();
    const of = (id: string) => received.find(({ message }) => message.ask.id === id);
    expect(await callBack({}, of("cancelled"))).toEqual([410, "cancelled"]);
    expect(await callBack({}, of("expired"))).toEqual([410, "expired"]);
    expect(await callBack({}, of("elsewhere"))).toEqual([409, "already_answered"]);
    expect(await callBack({}, of("closed"))).toEqual([410, "cancelled"]);
    expect(await Promise.all(waits.map(({ outcome }) => outcome))).toEqual([
      { code: "ask_cancelled" },
      { code: "ask_expired" },
      { code: "ask_answered" },
      UNAVAILABLE,
    ]);
  });

  it("[CASE-177] is waited for until its deadline at most, and without one until its token is over", async () => {
    const { askResolver, callBack, received, posted } = await setUp(status(202), { waitAtMostMs: 2_000 });
    const soon = pendingAsk("soon", { expires_at_ms: Date.now() + 1_500 });
    const outcomes = [soon, A].map((ask) => outcomeOf(askResolver.resolve(ask, wait().context)));
    await posted(2);
    expect(await Promise.all(outcomes)).toEqual([{ code: "ask_expired" }, { code: "ask_expired" }]);
    for (const of of received) expect(await callBack({}, of)).toEqual([410, "expired"]);
  });

  it("[CASE-177] is unavailable when it could not be delivered, and a callback to it finds that out", async () => {
    const { askResolver, callBack, received } = await setUp(status(500), { clock: hastyClock().clock });
    expect(await outcomeOf(askResolver.resolve(A, wait().context))).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(4);
    expect(await callBack()).toEqual([410, "cancelled"]);
  });

  it("is refused by callback when its decider is not listed, and waits on", async () => {
    const { askResolver, callBack, posted } = await setUp(status(202), { approvers: ["ana"] });
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await posted();
    expect(await callBack({ decided_by: "mallory" })).toEqual([403, "not_an_approver"]);
    expect(await callBack({ decided_by: "ana" })).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });
});

describe("an ask that is answered at once", () => {
  it("is answered by that, and a callback reads that it was", async () => {
    const { askResolver, callBack } = await setUp(json({ resolution: "Deny", reason: "no" }));
    expect(await outcomeOf(askResolver.resolve(A, wait().context))).toEqual({
      value: { resolution: "Deny", reason: "no" },
    });
    expect(await callBack()).toEqual([409, "already_answered"]);
  });
});

describe("with a channel of the host", () => {
  it("an ask can be answered on it by others, which ends the request", async () => {
    const [waitOn, deliver] = ApprovalChannel.pair(1, SILENT);
    let over = false;
    const { askResolver, callBack, posted } = await setUp(
      (response) =>
        response.on("close", () => {
          over = true;
        }),
      { waitOn, deliver },
    );
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await posted();
    expect(await deliver.answer(A, { resolution: "Approve", decided_by: "at the desk" })).toBe("delivered");
    expect(await outcome).toMatchObject({ value: { decided_by: "at the desk" } });
    await expect.poll(() => over, PATIENTLY).toBe(true);
    expect(await callBack()).toEqual([409, "already_answered"]);
  });

  it("a close ends what waits by webhook, and leaves the channel open", async () => {
    const [waitOn, deliver] = ApprovalChannel.pair(1, SILENT);
    const { askResolver, posted, close } = await setUp(status(202), { waitOn, deliver });
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await posted();
    await close();
    expect(await outcome).toEqual(UNAVAILABLE);
    const direct = outcomeOf(waitOn.resolve(A, wait().context));
    expect(await deliver.answer(A, "Approve")).toBe("delivered");
    expect(await direct).toEqual({ value: "Approve" });
  });

  it("one that is closed denies, and the endpoint is not asked", async () => {
    const [waitOn, deliver] = ApprovalChannel.pair(1, SILENT);
    await deliver.close();
    const { askResolver, received } = await setUp(json("Approve"), { waitOn, deliver });
    expect(await outcomeOf(askResolver.resolve(A, wait().context))).toEqual({ value: "Deny" });
    expect(received).toHaveLength(0);
  });

  it("is told the end of the call", async () => {
    const ended: [string, string][] = [];
    const waitOn = {
      resolve: () => "Deny" as const,
      settled: (ask: PendingAsk, outcome: string) => void ended.push([ask.id, outcome]),
    };
    const url = "https://ok.example/";
    const resolver = new WebhookAskResolver({ url, callbackUrl: url, waitOn, secrets: [SECRET] });
    await resolver.settled(A, "completed");
    expect(ended).toEqual([["A", "completed"]]);
    await resolver.close();
  });
});

describe("composed", () => {
  it("of two webhooks answered in one turn of the loop, the second reads already_answered", async () => {
    const [waitA, deliverA] = ApprovalChannel.pair(1, SILENT);
    const [waitB, deliverB] = ApprovalChannel.pair(1, SILENT);
    const one = await setUp(status(202), { waitOn: waitA, deliver: deliverA });
    const other = await setUp(status(202), { waitOn: waitB, deliver: deliverB });
    const asked = firstAnswer([one.askResolver, other.askResolver], SILENT);
    const outcome = outcomeOf(asked.resolve(A, { ...wait().context, isNonInteractive: true }));
    await Promise.all([one.posted(), other.posted()]);
    const statuses = [deliverA.answer(A, "Approve"), deliverB.answer(A, "Deny")];
    expect(await Promise.all(statuses)).toEqual(["delivered", "already_answered"]);
    expect(await outcome).toEqual({ value: "Approve" });
  });

  it("one that is down leaves the question to the next", async () => {
    const { askResolver } = await setUp(status(404));
    const asked = fallback([askResolver, () => "Deny"], SILENT);
    expect(await outcomeOf(asked.resolve(A, wait().context))).toEqual({ value: "Deny" });
  });
});

describe("the options of webhook approvals", () => {
  it("hold as accessors of a class, too", async () => {
    const endpoint = await startEndpoint(status(202));
    class Settings implements WebhookApprovalsOptions {
      readonly #approvers = ["ana"];
      readonly url = endpoint.url;
      readonly callbackUrl = "https://gate.example/";
      readonly secrets = [SECRET];
      readonly allowPrivateNetwork = true;
      readonly onReport = SILENT.onReport;
      get approvers() {
        return this.#approvers;
      }
      get toleranceSeconds() {
        return 5;
      }
    }
    const { askResolver, handler, close } = createWebhookApprovals(new Settings());
    onTestFinished(close);
    const outcome = outcomeOf(askResolver.resolve(A, wait().context));
    await expect.poll(() => endpoint.received.length, PATIENTLY).toBe(1);
    const token = endpoint.received[0]?.message.token;
    const post = async (decidedBy: string, atMs: number) => {
      const body = callbackBody(A, { token, decided_by: decidedBy });
      return (await handler(callbackRequest(body, signedHeaders(body, { atMs })))).status;
    };
    expect(await post("mallory", Date.now())).toBe(403);
    expect(await post("ana", Date.now() - 10_000)).toBe(401);
    expect(await post("ana", Date.now())).toBe(200);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });

  it("are read once each by both ends, so that what was checked is what counts", async () => {
    const reads: PropertyKey[] = [];
    const noted = <Options extends object>(options: Options) =>
      new Proxy(options, {
        get(target, name) {
          reads.push(name);
          return Reflect.get(target, name);
        },
      });
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const url = "https://gate.example/";
    const askResolver = new WebhookAskResolver(
      noted({ url, callbackUrl: url, waitOn: resolver, secrets: [SECRET], approvers: ["ana"] }),
    );
    onTestFinished(() => askResolver.close());
    expect(reads.length).toBe(new Set(reads).size);
    reads.length = 0;
    createCallbackHandler(noted({ deliver: approver, secrets: [SECRET], approvers: ["ana"] }));
    expect(reads.length).toBe(new Set(reads).size);
  });

  it("are refused with approvers that are undefined, which must not let anybody decide", () => {
    const options = { url: "https://ok.example/", callbackUrl: "https://gate.example/", secrets: [SECRET] };
    const approvers = undefined as unknown as string[];
    expect(() => createWebhookApprovals({ ...options, approvers })).toThrow(
      "approvers must be a list of names; leave it out to let anybody decide",
    );
  });

  it("are refused with what is no function for whoever is told", () => {
    const options = { url: "https://ok.example/", callbackUrl: "https://gate.example/", secrets: [SECRET] };
    for (const onReport of [null, "console", {}]) {
      expect(() => createWebhookApprovals({ ...options, onReport: onReport as never })).toThrow(
        expect.objectContaining({ code: "invalid_option" }),
      );
    }
  });

  it("are refused with one side of a channel only", () => {
    const [waitOn, deliver] = ApprovalChannel.pair(1, SILENT);
    const options = { url: "https://ok.example/", callbackUrl: "https://gate.example/", secrets: [SECRET] };
    for (const half of [{ waitOn }, { deliver }]) {
      expect(() => createWebhookApprovals({ ...options, ...half })).toThrow(
        expect.objectContaining({ code: "invalid_option" }),
      );
    }
  });
});
