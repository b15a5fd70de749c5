import type { AnswerStatus, AskAnswer, AskResolution } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { mintToken } from "../../src/webhook/callback-token.js";
import { type CallbackHandlerOptions, createCallbackHandler } from "../../src/webhook/index.js";
import { secretKeys } from "../../src/webhook/webhook-secrets.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { reports, SILENT } from "../support/reports.js";
import {
  callbackBody,
  callbackRequest,
  OTHER_SECRET,
  SECRET,
  signedHeaders,
  tokenFor,
  told,
} from "./support/callbacks.js";
import { PATIENTLY } from "./support/patience.js";
import { everyStore } from "./support/stores.js";

const A = pendingAsk("A");
const stores = everyStore();
const now = () => Date.now();
const TOKEN = () => tokenFor(A, now() + 3_600_000);

function message(fields: { [key: string]: unknown } = {}, headers: { id?: string; secret?: string } = {}) {
  const body = callbackBody(A, { token: TOKEN(), ...fields });
  const signed = signedHeaders(body, { atMs: now(), ...headers });
  return () => callbackRequest(body, signed);
}

/** An approver that counts what it is asked to deliver, and takes its time. */
function slowApprover(ms = 50) {
  const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
  const given: (AskResolution | AskAnswer)[] = [];
  const answer: typeof approver.answer = async (ask, given_, options) => {
    given.push(given_);
    await new Promise((resolve) => setTimeout(resolve, ms));
    return approver.answer(ask, given_, options);
  };
  const outcome = outcomeOf(resolver.resolve(A, wait().context));
  return { answer, given, outcome, approver };
}

describe.each(stores.kinds)("over a store in %s, two callback servers", (_name, create) => {
  function servers(options: Omit<CallbackHandlerOptions, "secrets" | "store">) {
    const { store, again } = create();
    return [
      createCallbackHandler({ ...SILENT, ...options, secrets: [SECRET], store }),
      createCallbackHandler({ ...SILENT, ...options, secrets: [SECRET, OTHER_SECRET], store: again }),
    ] as const;
  }

  it("give a message that comes again the first response, and deliver it once", async () => {
    const { answer, given, outcome, approver } = slowApprover();
    const [first, second] = servers({ deliver: { answer } });
    const request = message({ decided_by: "ana" });
    const atOnce = await Promise.all([first(request()), second(request()), first(request())]);
    for (const response of atOnce) expect(await told(response)).toEqual([200, "delivered"]);
    await approver.close();
    expect(await told(await second(request()))).toEqual([200, "delivered"]);
    expect(given).toHaveLength(1);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });

  it("repeat a refusal too, though it would be another by now", async () => {
    const { approver, resolver } = ApprovalChannel.pair(1, SILENT);
    const [first, second] = servers({ deliver: approver });
    const waiting = wait();
    void outcomeOf(resolver.resolve(A, waiting.context));
    waiting.expire();
    const request = message();
    expect(await told(await first(request()))).toEqual([410, "expired"]);
    void outcomeOf(resolver.resolve(A, wait().context));
    expect(await told(await second(request()))).toEqual([410, "expired"]);
    expect(await approver.list()).toEqual([A]);
  });

  it("refuse another message under an id that was used, whose sender would take the first response for its own", async () => {
    const { answer, given } = slowApprover(0);
    const [first, second] = servers({ deliver: { answer } });
    expect((await first(message({}, { id: "one" })())).status).toBe(200);
    expect(await told(await second(message({ resolution: "Deny" }, { id: "one" })()))).toEqual([
      400,
      "malformed",
    ]);
    expect(given).toHaveLength(1);
  });

  it("[CASE-194] take an unsigned click and one signed with another secret for none, and of token and button one", async () => {
    const { answer, outcome, given } = slowApprover();
    const [byToken, byButton] = servers({ deliver: { answer } });
    const unsigned = callbackRequest(callbackBody(A, { token: TOKEN() }), {});
    expect((await byToken(unsigned)).status).toBe(401);
    expect((await byToken(message({}, { secret: OTHER_SECRET })())).status).toBe(401);
    expect(given).toHaveLength(0);
    const token = TOKEN();
    const [one, other] = await Promise.all([
      byToken(message({ token, decided_by: "ana" }, { id: "token" })()),
      byButton(
        message(
          { token: TOKEN(), resolution: "Deny", decided_by: "bob" },
          { id: "button", secret: OTHER_SECRET },
        )(),
      ),
    ]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    const winner =
      one.status === 200
        ? { resolution: "Approve", decided_by: "ana" }
        : { resolution: "Deny", decided_by: "bob" };
    expect(await outcome).toEqual({ value: winner });
  });

  it("let a token be used by one message, also where the same ask waits again", async () => {
    const { approver, resolver } = ApprovalChannel.pair(1, SILENT);
    const [first, second] = servers({ deliver: approver });
    const token = TOKEN();
    void outcomeOf(resolver.resolve(A, wait().context));
    expect((await first(message({ token }, { id: "one" })())).status).toBe(200);
    void outcomeOf(resolver.resolve(A, wait().context));
    expect(await told(await second(message({ token }, { id: "two" })()))).toEqual([409, "already_answered"]);
    expect(await approver.list()).toEqual([A]);
    expect((await second(message({}, { id: "three" })())).status).toBe(200);
  });

  it("let a token be used by a second message where the first was refused", async () => {
    const { approver, resolver } = ApprovalChannel.pair(1, SILENT);
    const [first, second] = servers({ deliver: approver });
    const token = TOKEN();
    expect((await first(message({ token }, { id: "early" })())).status).toBe(404);
    void outcomeOf(resolver.resolve(A, wait().context));
    expect((await second(message({ token }, { id: "again" })())).status).toBe(200);
  });

  it("tell what takes too long that it is being handled, and what came of it afterwards", async () => {
    let release: () => void = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    let times = 0;
    const answer = async () => {
      times += 1;
      await isReleased;
      return "delivered" as const;
    };
    const [first, second] = servers({ deliver: { answer }, timeoutMs: 1_000 });
    const request = message();
    const [slow, meanwhile] = await Promise.all([first(request()), second(request())]);
    release();
    for (const response of [slow, meanwhile]) {
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await told(response)).toEqual([503, "busy"]);
    }
    await expect.poll(async () => told(await second(request())), PATIENTLY).toEqual([200, "delivered"]);
    expect(times).toBe(1);
  });

  it("deliver what a server that died had begun, and the approver had taken, as one answer", async () => {
    const { store, again } = create();
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    // It died after the delivery: nothing is finished, and its leases run out.
    const dying = { begin: store.begin.bind(store), finish: () => {}, release: () => {} };
    const options = { ...SILENT, secrets: [SECRET], deliver: approver, timeoutMs: 100 };
    const request = message();
    expect((await createCallbackHandler({ ...options, store: dying })(request())).status).toBe(200);
    const survivor = createCallbackHandler({ ...options, store: again });
    await expect.poll(async () => told(await survivor(request())), PATIENTLY).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("tell the truth of a delivery that the store could not note", async () => {
    const { store } = create();
    const { answer } = slowApprover(0);
    const heard = reports();
    const failing = {
      begin: store.begin.bind(store),
      finish: () => Promise.reject(new Error("full")),
      release: () => {},
    };
    const handler = createCallbackHandler({
      deliver: { answer },
      secrets: [SECRET],
      store: failing,
      onReport: heard.onReport,
    });
    expect((await handler(message()())).status).toBe(200);
    expect(heard.events.map(({ level }) => level)).toEqual(["error", "error"]);
  });
});

describe("an answer to an ask that is not known", () => {
  async function answered(issuedAtMs: number) {
    const statuses: AnswerStatus[] = ["unknown", "unknown", "delivered"];
    let times = 0;
    const answer = async () => statuses[times++] ?? "already_answered";
    const handler = createCallbackHandler({ deliver: { answer }, secrets: [SECRET] });
    const { id, args_digest } = A;
    const claims = { id, args_digest, issued_at_ms: issuedAtMs, expires_at_ms: now() + 60_000 };
    const response = await handler(message({ token: mintToken(claims, secretKeys([SECRET])[0]) })());
    return [response.status, times];
  }

  it("is tried again while the ask may be on its way, and at once refused where it was put long ago", async () => {
    expect(await answered(now())).toEqual([200, 3]);
    expect(await answered(now() + 1_000)).toEqual([200, 3]);
    expect(await answered(now() - 2_000)).toEqual([404, 1]);
    expect(await answered(now() + 60_000)).toEqual([404, 1]);
  });

  it("reads 404 when the ask does not come in that time, before the time of the handler is over", async () => {
    const answer = async () => "unknown" as const;
    const clock = new ManualClock(now());
    const handler = createCallbackHandler({ deliver: { answer }, secrets: [SECRET], clock });
    const { id, args_digest } = A;
    const claims = { id, args_digest, issued_at_ms: clock.now(), expires_at_ms: clock.now() + 60_000 };
    const response = handler(message({ token: mintToken(claims, secretKeys([SECRET])[0]) })());
    let isOver = false;
    void response.then(() => {
      isOver = true;
    });
    const startedMs = clock.now();
    while (!isOver) {
      clock.advance(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await told(await response)).toEqual([404, "unknown"]);
    expect(clock.now() - startedMs).toBeLessThan(4_000);
    expect(clock.timerCount).toBe(0);
  });
});

describe("without a store that remembers", () => {
  it("a token answers the same ask twice, and a message is delivered as often as it comes", async () => {
    const { approver, resolver } = ApprovalChannel.pair(1, SILENT);
    const forgetful = { begin: () => ({ kind: "begun" }) as const, finish: () => {}, release: () => {} };
    const handler = createCallbackHandler({ deliver: approver, secrets: [SECRET], store: forgetful });
    const token = TOKEN();
    for (const id of ["one", "two"]) {
      const outcome = outcomeOf(resolver.resolve(A, wait().context));
      expect((await handler(message({ token }, { id })())).status).toBe(200);
      expect(await outcome).toEqual({ value: { resolution: "Approve" } });
    }
  });
});
