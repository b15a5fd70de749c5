import { getEventListeners } from "node:events";
import { askChannelSuite } from "@x/conformance";
import type { PendingAsk } from "@x/permission-core";
import { describe, it } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { createWebhookApprovals, nodeListener } from "../../src/webhook/index.js";
import { SILENT } from "../support/reports.js";
import { CallbackApprover } from "./support/callback-approver.js";
import { SECRET } from "./support/callbacks.js";
import { serve } from "./support/serve.js";

/** Asks posted to an endpoint that says 202, answered by callbacks: everything but the reading goes over HTTP. */
async function create(capacity: number) {
  const [waitOn, deliver] = ApprovalChannel.pair(capacity, SILENT);
  const asks = new Map<string, { ask: PendingAsk; token: string }>();
  const endpoint = await serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { ask, token } = JSON.parse(String(Buffer.concat(chunks)));
    asks.set(ask.id, { ask, token });
    response.writeHead(202).end();
  });
  let handle = (_request: Request): Promise<Response> => Promise.reject(new Error("not yet"));
  const callbacks = await serve(nodeListener((request) => handle(request)));
  const { askResolver, handler, close } = createWebhookApprovals({
    url: endpoint.url,
    callbackUrl: callbacks.url,
    secrets: [SECRET],
    allowPrivateNetwork: true,
    deliver,
    waitOn,
    ...SILENT,
  });
  handle = handler;
  return {
    resolver: askResolver,
    approver: new CallbackApprover(deliver, callbacks.url, asks),
    async close() {
      await close();
      await Promise.all([endpoint.close(), callbacks.close()]);
    },
  };
}

describe.each([
  ["with room for every ask", 64],
  ["with room for one ask", 1],
])("asks by webhook that are answered by callback, over a channel %s", (_name, capacity) => {
  askChannelSuite({
    it,
    create: () => create(capacity),
    settle: () => new Promise((resolve) => setTimeout(resolve, 2)),
    listenersOf: (signal) => getEventListeners(signal, "abort").length,
  });
});
