import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json, text } from "node:stream/consumers";
import { createWebhookApprovals, nodeListener, WebhookAskResolver } from "@x/ask-channel/webhook";
import type { PendingAsk } from "@x/permission-core";
import { freshAsks } from "./fresh-asks.js";
import { measureAsync, showTime } from "./measure.js";
import type { BenchmarkSection } from "./section.js";

const KEY = randomBytes(32);
const SECRET = `whsec_${KEY.toString("base64")}`;
const ANSWER = JSON.stringify({ resolution: "Approve", decided_by: "ana" });
const AT_MOST = 3;

const freshAsk = freshAsks();

/** What it takes to ask by webhook, beside requests that carry the same bodies and are neither signed nor checked. */
export async function runWebhookBenchmark(): Promise<BenchmarkSection> {
  const servers: Server[] = [];
  const listen = async (listener: RequestListener) => {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  };

  const atOnceUrl = await listen(async (request, response) => {
    await text(request);
    response.writeHead(200, { "content-type": "application/json" }).end(ANSWER);
  });
  const laterUrl = await listen(async (request, response) => {
    const posted = (await json(request)) as PostedAsk;
    response.writeHead(202).end();
    await callBack(posted);
  });
  let heard: () => void = () => {};
  const bareCallbackUrl = await listen(async (request, response) => {
    await json(request);
    response.writeHead(200, { "content-type": "application/json" }).end('{"status":"delivered"}');
    heard();
  });
  let takeCallback: RequestListener = () => {};
  const callbackUrl = await listen((request, response) => takeCallback(request, response));

  const options = { secrets: [SECRET], allowPrivateNetwork: true, onReport: () => {} };
  const atOnce = new WebhookAskResolver({ ...options, url: atOnceUrl });
  const later = createWebhookApprovals({ ...options, url: laterUrl, callbackUrl });
  takeCallback = nodeListener(later.handler);

  const context = { signal: new AbortController().signal, isNonInteractive: true };
  const token = randomBytes(150).toString("base64url");
  const times = await measureAsync({
    fetchAtOnce: () => post(atOnceUrl, JSON.stringify({ ask: freshAsk() })),
    askAtOnce: () => atOnce.resolve(freshAsk(), context),
    fetchLater: async () => {
      const wasHeard = new Promise<void>((resolve) => {
        heard = resolve;
      });
      await post(laterUrl, JSON.stringify({ ask: freshAsk(), callback_url: bareCallbackUrl, token }));
      await wasHeard;
      return true;
    },
    askLater: () => later.askResolver.resolve(freshAsk(), context),
  });
  await Promise.all([atOnce.close(), later.close()]);
  for (const server of servers) server.close().closeAllConnections();

  const [once, twice] = [times.askAtOnce / times.fetchAtOnce, times.askLater / times.fetchLater];
  return {
    title: "Asking by webhook",
    notes: [
      "Median time of one ask after the other, over HTTP on loopback, to a server in this process; beside it, bare `fetch` calls to the same servers with the same bodies, neither signed nor checked.",
      "The answer comes in the response, which is one request; or by callback, which is two. The endpoint signs its callbacks in both.",
    ],
    table: {
      columns: ["", "bare `fetch`", "webhook", "ratio"],
      rows: [
        ["answered in the response", showTime(times.fetchAtOnce), showTime(times.askAtOnce), once.toFixed(2)],
        ["answered by callback", showTime(times.fetchLater), showTime(times.askLater), twice.toFixed(2)],
      ],
    },
    goals: [
      {
        text: `An ask by webhook takes at most ${AT_MOST} times as long as bare requests, either way.`,
        met: once <= AT_MOST && twice <= AT_MOST,
      },
    ],
  };
}

interface PostedAsk {
  ask: PendingAsk;
  callback_url: string;
  token: string;
}

/** Answers as an endpoint does, signed by Standard Webhooks. */
async function callBack({ ask, callback_url, token }: PostedAsk): Promise<void> {
  const body = JSON.stringify({ id: ask.id, args_digest: ask.args_digest, token, ...JSON.parse(ANSWER) });
  const [id, stamp] = [randomUUID(), `${Math.floor(Date.now() / 1000)}`];
  const signature = createHmac("sha256", KEY).update(`${id}.${stamp}.${body}`).digest("base64");
  const status = await post(callback_url, body, {
    "webhook-id": id,
    "webhook-timestamp": stamp,
    "webhook-signature": `v1,${signature}`,
  });
  if (status !== 200)
    throw new Error(`A callback read status ${status}: it did not do the work that is measured`);
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
  await response.text();
  return response.status;
}
