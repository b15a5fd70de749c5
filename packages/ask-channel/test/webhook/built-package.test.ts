import { createRequire } from "node:module";
import { isPermissionGateError } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import type * as Webhook from "../../src/webhook/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { callbackBody, callbackRequest, NOW_MS, SECRET } from "./support/callbacks.js";

const require = createRequire(import.meta.url);
const OPTIONS = {
  url: "https://ok.example/",
  callbackUrl: "https://gate.example/callback",
  secrets: [SECRET],
};

describe("the built package", () => {
  it("exports these names and no others", async () => {
    const webhook: typeof Webhook = await import(new URL("../../dist/webhook.js", import.meta.url).href);
    expect(Object.keys(webhook).toSorted()).toEqual([
      "MemoryCallbackStore",
      "WebhookAskResolver",
      "createCallbackHandler",
      "createWebhookApprovals",
      "nodeListener",
    ]);
  });

  it("works as CommonJS, with errors that the other copy knows", async () => {
    const { createWebhookApprovals } = require("@x/ask-channel/webhook") as typeof Webhook;
    const clock = { now: () => NOW_MS, setTimer: () => ({ cancel: () => {} }) };
    const { askResolver, handler, close } = createWebhookApprovals({ ...OPTIONS, clock, onReport: () => {} });
    const outcome = outcomeOf(askResolver.resolve(pendingAsk("A"), wait().context));
    expect((await handler(callbackRequest(callbackBody(pendingAsk("A"))))).status).toBe(200);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
    await close();
    const refused = await askResolver
      .resolve(pendingAsk("B"), wait().context)
      .catch((error: unknown) => error);
    expect(isPermissionGateError(refused, "ask_unavailable")).toBe(true);
  });
});
