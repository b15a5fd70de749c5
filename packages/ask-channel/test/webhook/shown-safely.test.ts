import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { type CallbackUse, createCallbackHandler, MemoryCallbackStore } from "../../src/webhook/index.js";
import { failureOf, pendingAsk, wait } from "../support/asks.js";
import { EVIL, printed, RAW } from "../support/printed.js";
import { reports, SILENT } from "../support/reports.js";
import { callbackBody, callbackRequest, SECRET, told } from "./support/callbacks.js";
import { startEndpoint } from "./support/endpoint.js";
import { loopbackResolver } from "./support/resolvers.js";

const A = pendingAsk("A");

describe("text that others sent", () => {
  it("is spelled out where an endpoint's answer is no JSON", async () => {
    const endpoint = await startEndpoint((response) => response.writeHead(200).end(EVIL));
    const resolver = loopbackResolver({ url: endpoint.url });
    const cause = await failureOf(resolver.resolve(A, wait().context));
    const words = printed([{ level: "warn", message: "", cause }]);
    expect(words).toContainEqual(expect.stringContaining("is not JSON"));
    for (const line of words) expect(line).not.toMatch(RAW);
  });

  it("is spelled out where a store of callbacks holds what no handler kept", async () => {
    const clock = new ManualClock();
    const heard = reports();
    const kept: CallbackUse = { kind: "done", text: EVIL };
    const store = Object.assign(new MemoryCallbackStore({ clock }), { begin: async () => kept });
    const { approver } = ApprovalChannel.pair(1, SILENT);
    const { onReport } = heard;
    const handler = createCallbackHandler({ deliver: approver, secrets: [SECRET], clock, store, onReport });
    expect(await told(await handler(callbackRequest(callbackBody(A))))).toEqual([500, "failed"]);
    const words = printed(heard.events);
    expect(words).toContainEqual(expect.stringContaining("is no JSON"));
    for (const line of words) expect(line).not.toMatch(RAW);
  });

  it("is spelled out where it is the id of an ask whose deadline has passed", async () => {
    const endpoint = await startEndpoint(() => {});
    const resolver = loopbackResolver({ url: endpoint.url });
    const late = pendingAsk(EVIL, { expires_at_ms: 1 });
    const message = (await failureOf(resolver.resolve(late, wait().context)))?.message;
    expect(message).toContain("owned");
    expect(message).not.toMatch(RAW);
  });
});
