import { caseById } from "@x/conformance";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { createCallbackHandler } from "../../src/webhook/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { callbackBody, callbackRequest, SECRET, signedHeaders, tokenFor } from "./support/callbacks.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

/** A handler before which A waits. `post` gives status, word and message of the response, `approver.list()` whether A still waits. */
function setUp() {
  const { resolver, approver } = ApprovalChannel.pair(8, SILENT);
  const handler = createCallbackHandler({
    deliver: approver,
    secrets: [SECRET],
    clock: new ManualClock(),
    ...SILENT,
  });
  const outcome = outcomeOf(resolver.resolve(A, wait().context));
  const post = async (body: string, headers?: Record<string, string>) => {
    const response = await handler(callbackRequest(body, headers));
    const { status, message } = (await response.json()) as { status: string; message: string };
    return [response.status, status, message] as const;
  };
  return { approver, outcome, post };
}

describe("an approval that is bound to its call", () => {
  it("[CASE-153] is refused in three ways where its signature is missing, its digest was changed or its id is wrong, and delivered whole", async () => {
    expect(caseById("CASE-153").input).toEqual({
      steps: [
        "server signs {id, tool, argsDigest}",
        "client echoes id and decision only",
        "client echoes but edits args",
      ],
    });
    const { approver, outcome, post } = setUp();
    const unsigned = await post(callbackBody(A), { "content-type": "application/json" });
    const changedDigest = await post(callbackBody(A, { args_digest: B.args_digest }));
    const wrongId = await post(callbackBody({ ...A, id: "another" }));
    expect([unsigned, changedDigest, wrongId].map(([status, word]) => [status, word])).toEqual([
      [401, "bad_signature"],
      [422, "mismatch"],
      [404, "unknown"],
    ]);
    expect(new Set([unsigned, changedDigest, wrongId].map(([, , message]) => message)).size).toBe(3);
    expect(await approver.list()).toEqual([A]);

    expect((await post(callbackBody(A))).slice(0, 2)).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("[CASE-153] is refused where what binds it was dropped, edited after signing, or made for another ask", async () => {
    const { approver, post } = setUp();
    const signed = signedHeaders(callbackBody(A));
    const edited = callbackBody(A, { args_digest: B.args_digest });
    const [, seal = ""] = tokenFor(A).split(".");
    for (const [expected, body, headers] of [
      [[400, "malformed"], JSON.stringify({ id: A.id, resolution: "Approve" })],
      [[400, "malformed"], callbackBody(A, { token: undefined })],
      [[400, "malformed"], callbackBody(A, { args_digest: undefined })],
      [[401, "bad_signature"], edited, signed],
      [[401, "bad_token"], callbackBody(A, { token: `${tokenFor(B).split(".")[0]}.${seal}` })],
      [[422, "mismatch"], callbackBody(A, { id: B.id })],
      [[422, "mismatch"], callbackBody(A, { token: tokenFor(B) })],
      [[422, "mismatch"], callbackBody({ id: A.id, args_digest: B.args_digest })],
    ] as const) {
      expect((await post(body, headers ?? signedHeaders(body))).slice(0, 2), body).toEqual(expected);
    }
    expect(await approver.list()).toEqual([A]);
  });
});
