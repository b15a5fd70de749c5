import { caseById } from "@x/conformance";
import { type PendingAsk, PermissionGateError } from "@x/permission-core";
import { ManualClock } from "@x/permission-core/testing";
import { describe, expect, it } from "vitest";
import { ApprovalChannel, withDeadline } from "../../src/index.js";
import { type CallbackHandlerOptions, createCallbackHandler } from "../../src/webhook/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { reports, SILENT } from "../support/reports.js";
import {
  callbackBody,
  callbackRequest,
  NOW_MS,
  OTHER_SECRET,
  SECRET,
  signedHeaders,
  tokenFor,
  told,
} from "./support/callbacks.js";

const A = pendingAsk("A");
const B = pendingAsk("B");

function setUp(options: Partial<CallbackHandlerOptions> = {}) {
  const { resolver, approver } = ApprovalChannel.pair(8, SILENT);
  const clock = new ManualClock();
  const heard = reports();
  const handler = createCallbackHandler({
    deliver: approver,
    secrets: [SECRET],
    clock,
    onReport: heard.onReport,
    ...options,
  });
  const park = (ask: PendingAsk, waiting = wait()) => {
    const outcome = outcomeOf(resolver.resolve(ask, waiting.context));
    return { ...waiting, outcome };
  };
  return { resolver, approver, clock, handler, park, ...heard };
}

describe("a callback", () => {
  it("delivers an approving answer with all that it says, and not the token", async () => {
    const { handler, park } = setUp();
    const { outcome } = park(A);
    const body = callbackBody(A, {
      decided_by: "ana",
      reason: "looks right",
      remember: "this_call",
      ask_id: A.id,
    });
    expect(await told(await handler(callbackRequest(body)))).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({
      value: { resolution: "Approve", decided_by: "ana", reason: "looks right", remember: "this_call" },
    });
  });

  it("delivers a denial, and an input that replaces the one asked about", async () => {
    const { handler, park } = setUp();
    const [denied, modified] = [park(A), park(B)];
    await handler(callbackRequest(callbackBody(A, { resolution: "Deny", reason: "no" })));
    await handler(callbackRequest(callbackBody(B, { modified_input: { target: "staging" } })));
    expect(await denied.outcome).toEqual({ value: { resolution: "Deny", reason: "no" } });
    expect(await modified.outcome).toEqual({
      value: { resolution: "Approve", modified_input: { target: "staging" } },
    });
  });

  it.each([
    ["no headers", (body: string) => ({ "content-length": `${body.length}` }), "bad_signature"],
    ["another secret", (body: string) => signedHeaders(body, { secret: OTHER_SECRET }), "bad_signature"],
    ["the signature of another body", () => signedHeaders("{}"), "bad_signature"],
    [
      "another id than was signed",
      (body: string) => ({ ...signedHeaders(body), "webhook-id": "x" }),
      "bad_signature",
    ],
    ["a stamp 301 s old", (body: string) => signedHeaders(body, { atMs: NOW_MS - 301_000 }), "stale"],
    ["a stamp 301 s ahead", (body: string) => signedHeaders(body, { atMs: NOW_MS + 301_000 }), "stale"],
    [
      "a stamp changed after signing",
      (body: string) => ({
        ...signedHeaders(body, { atMs: NOW_MS - 9e6 }),
        "webhook-timestamp": `${NOW_MS / 1000}`,
      }),
      "bad_signature",
    ],
  ])("is refused with 401 and leaves its ask waiting: %s", async (_name, headersOf, word) => {
    const { handler, park, approver } = setUp();
    park(A);
    const body = callbackBody(A);
    expect(await told(await handler(callbackRequest(body, headersOf(body))))).toEqual([401, word]);
    expect(await approver.list()).toEqual([A]);
  });

  it("[CASE-187] may be as far off in time as the tolerance says, both ways; 0 is zero, and only off turns it off", async () => {
    expect(caseById("CASE-187").input).toMatchObject({ setup: { toleranceSeconds: [0, 30, 300] } });
    const statusAt = async (toleranceSeconds: number | "off", offsetS: number) => {
      const { handler, park } = setUp({ toleranceSeconds });
      park(A);
      const body = callbackBody(A);
      const headers = signedHeaders(body, { atMs: NOW_MS + offsetS * 1000 });
      return (await handler(callbackRequest(body, headers))).status;
    };
    for (const [tolerance, inside, outside] of [
      [0, 0, 1],
      [30, 30, 31],
      [300, 300, 301],
    ] as const) {
      for (const sign of [-1, 1]) {
        expect(await statusAt(tolerance, sign * inside)).toBe(200);
        expect(await statusAt(tolerance, sign * outside)).toBe(401);
      }
    }
    expect(await statusAt(300, -31)).toBe(200);
    expect(await statusAt(300, 31)).toBe(200);
    expect(await statusAt("off", -1e8)).toBe(200);
    expect(await statusAt("off", 1e8)).toBe(200);
  });

  it("is taken when any of several secrets signed it, and any of them its token", async () => {
    const { handler, park } = setUp({ secrets: [OTHER_SECRET, SECRET] });
    const [first, second] = [park(A), park(B)];
    expect((await handler(callbackRequest(callbackBody(A)))).status).toBe(200);
    const body = callbackBody(B);
    expect((await handler(callbackRequest(body, signedHeaders(body, { secret: OTHER_SECRET })))).status).toBe(
      200,
    );
    await Promise.all([first.outcome, second.outcome]);
    const rotated = setUp({ secrets: [OTHER_SECRET] });
    rotated.park(A);
    expect(await told(await rotated.handler(callbackRequest(callbackBody(A))))).toEqual([
      401,
      "bad_signature",
    ]);
  });

  it.each([
    ["no JSON", "approve"],
    ["a list", "[]"],
    ["a word", '"Approve"'],
    ["nothing", ""],
    ["no id", callbackBody(A, { id: undefined })],
    ["no digest", callbackBody(A, { args_digest: undefined })],
    ["no token", callbackBody(A, { token: undefined })],
    ["a number for an id", callbackBody(A, { id: 7 })],
    ["no resolution", callbackBody(A, { resolution: undefined })],
    ["a resolution of another case", callbackBody(A, { resolution: "approve" })],
    ["a resolution that is true", callbackBody(A, { resolution: true })],
    ["a denial remembered for the session", callbackBody(A, { resolution: "Deny", remember: "session" })],
    [
      "an integer that would be rounded",
      callbackBody(A).replace(/}$/, ',"modified_input":{"n":9007199254740993}}'),
    ],
    ...["9007199254740993.0", "9007199254740993e0", "-900719925474099.3E+1", "1e300", "1e400"].map(
      (number): [string, string] => [
        `a number that would be rounded, ${number}`,
        callbackBody(A).replace(/}$/, `,"modified_input":{"n":${number}}}`),
      ],
    ),
    ["two resolutions", callbackBody(A).replace(/}$/, ',"resolution":"Deny"}')],
    ["two ids", callbackBody(A).replace("{", '{"id":"B",')],
    ["two ids in two spellings", callbackBody(A).replace("{", '{"i\\u0064":"B",')],
    [
      "a key that stands twice in its input",
      callbackBody(A).replace(/}$/, ',"modified_input":{"a":1,"a":2}}'),
    ],
    ["half a character in its reason", callbackBody(A, { reason: "\ud800" })],
    ["half a character for who decided", callbackBody(A, { decided_by: "\udfff" })],
    ["half a character in its input", callbackBody(A, { modified_input: { a: "\ud800" } })],
    [
      "input nested deeper than a text of it can be",
      callbackBody(A).replace(/}$/, `,"modified_input":${"[".repeat(512)}${"]".repeat(512)}}`),
    ],
    [
      "input nested beyond reading",
      callbackBody(A).replace(/}$/, `,"modified_input":${"[".repeat(9000)}${"]".repeat(9000)}}`),
    ],
  ])("is refused with 400 and leaves its ask waiting when it holds %s", async (_name, body) => {
    const { handler, park, approver } = setUp();
    park(A);
    expect(await told(await handler(callbackRequest(body, signedHeaders(body))))).toEqual([400, "malformed"]);
    expect(await approver.list()).toEqual([A]);
  });

  it("is refused where its token is another's, forged or over", async () => {
    const { handler, park, clock, approver } = setUp();
    park(A);
    park(B);
    const post = async (fields: { [key: string]: unknown }) =>
      told(await handler(callbackRequest(callbackBody(A, fields))));
    const [payload = "", seal = ""] = tokenFor(A).split(".");
    expect(await post({ token: tokenFor(B) })).toEqual([422, "mismatch"]);
    expect(await post({ id: B.id })).toEqual([422, "mismatch"]);
    expect(await post({ args_digest: B.args_digest })).toEqual([422, "mismatch"]);
    expect(await post({ ask_id: B.id })).toEqual([422, "mismatch"]);
    expect(await post({ token: `${payload}.${seal}.x` })).toEqual([401, "bad_token"]);
    expect(await post({ token: `${tokenFor(B).split(".")[0]}.${seal}` })).toEqual([401, "bad_token"]);
    expect(await post({ token: "" })).toEqual([401, "bad_token"]);
    expect(await post({ token: tokenFor(A, clock.now()) })).toEqual([410, "expired"]);
    expect(await approver.list()).toEqual([A, B]);
  });

  it("reads 422 where the ask that waits under its id is about another call by now", async () => {
    const { handler, park, approver } = setUp();
    const other = { ...A, args_digest: B.args_digest };
    park(other);
    expect(await told(await handler(callbackRequest(callbackBody(A))))).toEqual([422, "mismatch"]);
    expect(await approver.list()).toEqual([other]);
  });

  it("[CASE-177] tells truthfully what became of the answer", async () => {
    const { handler, resolver, park, clock } = setUp();
    const post = async (ask: PendingAsk) => told(await handler(callbackRequest(callbackBody(ask))));
    const [expired, cancelled, elsewhere] = [pendingAsk("E"), pendingAsk("C"), pendingAsk("O")];
    void outcomeOf(withDeadline(resolver, 60_000, { clock }).resolve(expired, wait().context));
    clock.advance(60_000);
    park(cancelled).cancel();
    park(elsewhere).answeredElsewhere();
    park(A);
    expect(await post(A)).toEqual([200, "delivered"]);
    expect(await post(expired)).toEqual([410, "expired"]);
    expect(await post(cancelled)).toEqual([410, "cancelled"]);
    expect(await post(elsewhere)).toEqual([409, "already_answered"]);
    expect(await post(B)).toEqual([404, "unknown"]);
  });

  it("reaches an ask that was unknown when it came first", async () => {
    const { handler, park } = setUp();
    const body = callbackBody(A);
    expect((await handler(callbackRequest(body))).status).toBe(404);
    const { outcome } = park(A);
    expect((await handler(callbackRequest(body))).status).toBe(200);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("[CASE-192] decides by nothing but a POST of an approver who is listed, once", async () => {
    const { handler, park, approver } = setUp({ approvers: ["ana", "bob"] });
    const { outcome } = park(A);
    const url = `https://gate.example/callback?token=${tokenFor(A)}&resolution=Approve`;
    for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
      const response = await handler(new Request(url, { method }));
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    }
    const post = async (fields: { [key: string]: unknown }) =>
      told(await handler(callbackRequest(callbackBody(A, fields))));
    expect(await post({})).toEqual([403, "not_an_approver"]);
    expect(await post({ decided_by: "mallory" })).toEqual([403, "not_an_approver"]);
    expect(await post({ decided_by: "Ana" })).toEqual([403, "not_an_approver"]);
    expect(await approver.list()).toEqual([A]);
    expect(await post({ decided_by: "ana" })).toEqual([200, "delivered"]);
    expect(await post({ decided_by: "bob" })).toEqual([409, "already_answered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });

  it("[CASE-191] is verified over its bytes as they came, however they spell their JSON", async () => {
    const { handler, park } = setUp();
    const { outcome } = park(A);
    const raw = callbackBody(A).replace(/}$/, ',\n "modified_input": {"b":1.0,"a":"\\u00e9", "n":1e2}}');
    expect(caseById("CASE-191").input).toMatchObject({
      json: expect.stringContaining('{"b":1.0,"a":"\\u00e9", "n":1e2}'),
    });
    const headers = signedHeaders(raw);
    const again = JSON.stringify(JSON.parse(raw));
    expect(again).not.toBe(raw);
    expect((await handler(callbackRequest(again, headers))).status).toBe(401);
    expect((await handler(callbackRequest(raw.replace('"Approve"', '"Deny"'), headers))).status).toBe(401);
    expect((await handler(callbackRequest(` ${raw}`, headers))).status).toBe(401);
    expect((await handler(callbackRequest(raw, headers))).status).toBe(200);
    expect(await outcome).toEqual({
      value: { resolution: "Approve", modified_input: { b: 1, a: "é", n: 100 } },
    });
  });

  it("[CASE-191] is refused with the reason when its body was read before", async () => {
    const { handler, park, approver } = setUp();
    park(A);
    const read = callbackRequest(callbackBody(A));
    await read.json();
    const locked = callbackRequest(callbackBody(A));
    locked.body?.getReader();
    const parsed = {
      method: "POST",
      headers: new Headers(signedHeaders(callbackBody(A))),
      body: { id: "A" },
    };
    const begun = callbackRequest(callbackBody(A));
    const reader = begun.body?.getReader();
    await reader?.read();
    reader?.releaseLock();
    for (const request of [read, locked, begun, parsed as unknown as Request]) {
      const response = await handler(request);
      expect(response.status).toBe(400);
      expect(await response.text()).toMatch(/The body was read before it came here.*before any body parser/);
    }
    const ofExpress = { method: "POST", headers: { "webhook-id": "x" }, body: { id: "A" } };
    const response = await handler(ofExpress as unknown as Request);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/takes a Web Request.*nodeListener/);
    expect(await approver.list()).toEqual([A]);
  });

  it("is refused with 413 when it is too long, whether it says so or not", async () => {
    const { handler, park, approver } = setUp({ mostBodyBytes: 500 });
    park(A);
    const body = callbackBody(A, { reason: "x".repeat(500) });
    const headers = signedHeaders(body);
    const said = callbackRequest(body, { ...headers, "content-length": "1000000" });
    expect(await told(await handler(said))).toEqual([413, "too_large"]);
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(100));
      },
    });
    const init = { method: "POST", headers, body: endless, duplex: "half" } as RequestInit;
    expect(await told(await handler(new Request("https://gate.example/", init)))).toEqual([413, "too_large"]);
    expect(pulled).toBeLessThan(12);
    expect(await approver.list()).toEqual([A]);
  });

  it.each([
    ["text", "x".repeat(16_000_000)],
    ["escapes", "\\\\".repeat(8_000_000)],
  ])("is taken when it is as long as the host allows, of %s", async (_name, long) => {
    const { handler, park, events } = setUp({ mostBodyBytes: 64_000_000 });
    const { outcome } = park(A);
    const body = callbackBody(A, { modified_input: { file: long } });
    expect(await told(await handler(callbackRequest(body)))).toEqual([200, "delivered"]);
    expect(events).toEqual([]);
    const { value } = (await outcome) as { value: { modified_input: { file: string } } };
    expect(value.modified_input.file.length).toBe(long.length);
  });

  it("is refused with 408 when its body does not come in time, and with 400 when it breaks off", async () => {
    const { handler, clock } = setUp({ timeoutMs: 1_000 });
    let cancelled = false;
    const stream = (source: UnderlyingDefaultSource<Uint8Array>) =>
      new Request("https://gate.example/", {
        method: "POST",
        headers: signedHeaders("x"),
        body: new ReadableStream(source),
        duplex: "half",
      } as RequestInit);
    const slow = handler(
      stream({
        start: (controller) => controller.enqueue(new Uint8Array(1)),
        cancel: () => {
          cancelled = true;
        },
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1_000);
    expect(await told(await slow)).toEqual([408, "too_slow"]);
    expect(cancelled).toBe(true);
    const broken = handler(stream({ start: (controller) => controller.error(new Error("reset")) }));
    expect(await told(await broken)).toEqual([400, "malformed"]);
    expect(clock.timerCount).toBe(0);
  });

  it("reads 500 without detail, and is delivered when sent again, when the approver or the store fails", async () => {
    const secret = new PermissionGateError("storage", "redis://:hunter2@10.0.0.7 is down");
    const answers: (() => Promise<"delivered">)[] = [() => Promise.reject(secret), async () => "delivered"];
    const { handler, events, clock } = setUp({
      deliver: { answer: () => (answers.shift() ?? Promise.reject)() },
    });
    const body = callbackBody(A);
    const response = await handler(callbackRequest(body));
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/redis|hunter2|10\.0\.0\.7|storage/);
    expect(events).toMatchObject([{ level: "error", cause: secret }]);
    expect((await handler(callbackRequest(body))).status).toBe(200);
    const broken = () => Promise.reject(secret);
    const other = setUp({ store: { begin: broken, finish: broken, release: broken } });
    other.park(A);
    expect((await other.handler(callbackRequest(body))).status).toBe(500);
    expect(await other.approver.list()).toEqual([A]);
    expect(clock.timerCount + other.clock.timerCount).toBe(0);
  });

  it("reads 400 in words of ours, also when sent again, where the channel takes no such answer, and a better one is delivered", async () => {
    const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
    let given = 0;
    const answer: typeof approver.answer = async (...args) => {
      given += 1;
      if (given === 1) throw new PermissionGateError("bad_record", "answer: the reason hunter2 is too long");
      return approver.answer(...args);
    };
    const { handler, events } = setUp({ deliver: { answer } });
    const outcome = outcomeOf(resolver.resolve(A, wait().context));
    const long = callbackBody(A, { reason: "hunter2" });
    for (let time = 0; time < 2; time += 1) {
      const response = await handler(callbackRequest(long));
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          status: "malformed",
          message: "The channel of this ask does not take this answer: it is too long for it, or malformed.",
        },
      ]);
    }
    expect([given, events]).toEqual([1, []]);
    expect(await approver.list()).toEqual([A]);
    expect(await told(await handler(callbackRequest(callbackBody(A))))).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve" } });
  });

  it("denies nothing and approves nothing where the approver gives a status that is none", async () => {
    const answer = async () => "approved" as unknown as "delivered";
    const { handler } = setUp({ deliver: { answer } });
    expect((await handler(callbackRequest(callbackBody(A)))).status).toBe(500);
  });
});

describe("the options of a callback handler", () => {
  it.each([
    ["no approver", { deliver: undefined }],
    ["no secret", { secrets: [] }],
    ["undefined for the secrets", { secrets: undefined }],
    ["undefined for a secret", { secrets: [undefined] }],
    ["a secret that is in no list", { secrets: SECRET }],
    ["undefined for the approvers", { approvers: undefined }],
    ["an approver who is in no list", { approvers: "ana" }],
    ["an empty text for the approvers", { approvers: "" }],
    ["null for the approvers", { approvers: null }],
    ["undefined for an approver", { approvers: ["ana", undefined] }],
    ["a secret that is not base64", { secrets: ["whsec_ü"] }],
    ["a secret that is short", { secrets: [`whsec_${Buffer.alloc(23).toString("base64")}`] }],
    ["a tolerance below 0", { toleranceSeconds: -1 }],
    ["a tolerance that is no number", { toleranceSeconds: Number.NaN }],
    ["a tolerance without end", { toleranceSeconds: Number.POSITIVE_INFINITY }],
    ["a tolerance that is a word", { toleranceSeconds: "none" }],
    ["a tolerance that is null", { toleranceSeconds: null }],
    ["no time", { timeoutMs: 0 }],
    ["no room", { mostBodyBytes: 0 }],
    ["null for whoever is told", { onReport: null }],
  ])("are refused when they hold %s", (_name, options) => {
    const { approver } = ApprovalChannel.pair(1, SILENT);
    const all = { deliver: approver, secrets: [SECRET], ...options } as unknown as CallbackHandlerOptions;
    expect(() => createCallbackHandler(all)).toThrow(expect.objectContaining({ code: "invalid_option" }));
  });
});

describe("a callback that reads 401 or 403", () => {
  const body = callbackBody(A, { decided_by: "ana" });
  const good = () => callbackRequest(body, signedHeaders(body, { id: "good" }));
  const signed = (fields: object) => {
    const text = callbackBody(A, { decided_by: "ana", ...fields });
    return callbackRequest(text);
  };
  const stale = () => callbackRequest(body, signedHeaders(body, { atMs: NOW_MS - 301_000 }));
  const bySomebody = () => callbackRequest(body, signedHeaders(body, { secret: OTHER_SECRET }));

  it.each<[string, () => Request, string]>([
    [
      "no headers",
      () => callbackRequest(body, {}),
      "The headers that sign a message are missing or malformed.",
    ],
    ["another secret", bySomebody, "The signature is not right."],
    ["an old stamp", stale, "The time of the message is too far from ours."],
    ["another token", () => signed({ token: "SECRET.TOKEN" }), "The token is none of ours."],
    ["nobody's name", () => signed({ decided_by: undefined }), "it does not say who decided"],
    ["a stranger's name", () => signed({ decided_by: "eve" }), "who decided is not listed as an approver"],
  ])("is reported once, in words of ours: %s", async (_name, request, why) => {
    const { handler, events } = setUp({ approvers: ["ana"] });
    for (let count = 0; count < 3; count += 1)
      expect([401, 403]).toContain((await handler(request())).status);
    expect(events).toEqual([{ level: "warn", message: `a webhook callback was refused: ${why}` }]);
  });

  it("is reported by kind, and again once another has passed the checks", async () => {
    const { handler, park, events } = setUp();
    park(A);
    for (const request of [bySomebody(), stale(), bySomebody()]) await handler(request);
    expect(events).toHaveLength(2);
    expect((await handler(good())).status).toBe(200);
    for (const request of [bySomebody(), bySomebody()]) await handler(request);
    expect(events).toHaveLength(3);
  });
});
