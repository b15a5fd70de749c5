import type { AskAnswer, AskResolution, AskResolver } from "@x/permission-core";
import { describe, expect, it } from "vitest";
import { firstAnswer, withDeadline } from "../../src/index.js";
import type { AskName, TellingResolver } from "../../src/tells-parked.js";
import { failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { json, type Respond, startEndpoint, status } from "./support/endpoint.js";
import { hastyClock } from "./support/hasty-clock.js";
import { PATIENTLY } from "./support/patience.js";
import { loopbackResolver } from "./support/resolvers.js";

const A = pendingAsk("A");

/** Asks by a channel that tells when `tell` is called, of an endpoint that responds by the id of the ask posted. */
async function setUp(responds: Record<string, Respond>, composed = (channel: AskResolver) => channel) {
  const told: { onParked?: ((stored: AskName) => void) | undefined } = {};
  let answer: (answer: AskResolution | AskAnswer) => void = () => {};
  const channel: TellingResolver = {
    interactive: false,
    tellsParked: true,
    resolve: (_ask, { onParked }) => {
      told.onParked = onParked;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
  };
  const endpoint = await startEndpoint((response, received, request) =>
    responds[received.message.ask.id]?.(response, received, request),
  );
  const { clock, state } = hastyClock();
  const resolver = loopbackResolver({
    url: endpoint.url,
    callbackUrl: "http://127.0.0.1:9/",
    waitOn: composed(channel),
    approvers: ["ana"],
    attempts: 2,
    clock,
  });
  const answered = resolver.resolve(A, wait().context);
  return {
    answered,
    outcome: outcomeOf(answered),
    received: endpoint.received,
    answer: (given: AskResolution | AskAnswer) => answer(given),
    tell: (id: string, instead?: string) =>
      told.onParked?.({ id, args_digest: A.args_digest, ...(instead !== undefined && { instead }) }),
    /** Once so many requests are left, none of which is tried again. Beside these the ask itself has a timer. */
    underWay: (requests: number) => expect.poll(() => state.live, PATIENTLY).toBe(1 + requests),
    posted: (times: number) => expect.poll(() => endpoint.received.length, PATIENTLY).toBe(times),
  };
}

/** Responds by `respond` once `release` was called. */
function held(respond: Respond) {
  let release: () => void = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const respondLater: Respond = async (...args) => {
    await isReleased;
    return respond(...args);
  };
  return { respond: respondLater, release: () => release() };
}

describe.each<[string, (channel: AskResolver) => AskResolver]>([
  ["a channel", (channel) => channel],
  ["a composition", (channel) => withDeadline(firstAnswer([channel], SILENT), 60_000, SILENT)],
])("an ask that %s tells under a second id", (_name, composed) => {
  it.each<[string, Respond]>([
    ["could not be delivered", status(500)],
    ["was refused", status(404)],
    ["was answered by nobody who is listed", json({ resolution: "Approve", decided_by: "eve" })],
  ])("waits on where the first posting %s, and the second was accepted before", async (_why, respond) => {
    const first = held(respond);
    const { tell, posted, outcome, answer, underWay } = await setUp(
      { first: first.respond, second: status(202) },
      composed,
    );
    tell("first");
    await posted(1);
    tell("second");
    await posted(2);
    first.release();
    await underWay(0);
    answer("Approve");
    expect(await outcome).toEqual({ value: "Approve" });
  });

  it("waits on where the first was accepted, and the second could not be delivered", async () => {
    const { tell, posted, outcome, answer, underWay } = await setUp(
      { first: status(202), second: status(500) },
      composed,
    );
    tell("first");
    await underWay(0);
    tell("second");
    await posted(3);
    await underWay(0);
    answer("Deny");
    expect(await outcome).toEqual({ value: "Deny" });
  });

  it("is answered by the one posting while the other fails", async () => {
    const second = held(json({ resolution: "Approve", decided_by: "ana" }));
    const { tell, posted, outcome, underWay } = await setUp(
      { first: status(404), second: second.respond },
      composed,
    );
    tell("second");
    await posted(1);
    tell("first");
    await posted(2);
    await underWay(1);
    second.release();
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana", ask_id: "second" } });
  });

  it("is unavailable once no posting is left, for what the last one failed of", async () => {
    const second = held(status(404));
    const { tell, posted, answered, underWay } = await setUp(
      { first: status(500), second: second.respond },
      composed,
    );
    tell("second");
    await posted(1);
    tell("first");
    await posted(3);
    await underWay(1);
    second.release();
    expect(await failureOf(answered)).toMatchObject({
      code: "ask_unavailable",
      message: "the webhook endpoint answered with status 404",
    });
  });

  it.each<[string, Respond]>([
    ["answer", json({ resolution: "Approve", decided_by: "ana" })],
    ["failure", status(404)],
  ])("hears no %s of a posting in whose place another stands", async (_what, respond) => {
    const [first, second] = [held(respond), held(json({ resolution: "Deny", decided_by: "ana" }))];
    const { tell, posted, outcome, underWay } = await setUp(
      { first: first.respond, second: second.respond },
      composed,
    );
    tell("first");
    await posted(1);
    tell("second", "first");
    await posted(2);
    first.release();
    await underWay(1);
    second.release();
    expect(await outcome).toEqual({ value: { resolution: "Deny", decided_by: "ana", ask_id: "second" } });
  });

  it("is unavailable where the posting fails that stands in the place of one which was accepted", async () => {
    const { tell, posted, answered, underWay } = await setUp(
      { first: status(202), second: status(404) },
      composed,
    );
    tell("first");
    await posted(1);
    await underWay(0);
    tell("second", "first");
    expect(await failureOf(answered)).toMatchObject({ code: "ask_unavailable" });
  });
});
