import { getEventListeners, once } from "node:events";
import type { ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { freePort } from "@x/redis-server";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebhookAskResolver, type WebhookAskResolverOptions } from "../../src/webhook/index.js";
import { failureOf, outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { OTHER_SECRET, SECRET } from "./support/callbacks.js";
import { inTurn, json, type Respond, startEndpoint, status } from "./support/endpoint.js";
import { hastyClock } from "./support/hasty-clock.js";
import { PATIENTLY } from "./support/patience.js";
import { loopbackResolver } from "./support/resolvers.js";

const A = pendingAsk("A", { details: "rm -rf build", rememberable: ["this_call"] });
const B = pendingAsk("B");
const UNAVAILABLE = { code: "ask_unavailable" };

/** Status 200 with a body that is said to be in an encoding. */
const encoded =
  (encoding: string, body: string | Uint8Array): Respond =>
  (response) => {
    response.setHeader("content-encoding", encoding).end(body);
  };

/** Asks once, of an endpoint that responds so. */
async function ask(respond: Respond, options: Omit<Partial<WebhookAskResolverOptions>, "url"> = {}) {
  const endpoint = await startEndpoint(respond);
  const hasty = hastyClock();
  const resolver = loopbackResolver({ url: endpoint.url, clock: hasty.clock, ...options });
  const { context, signal } = wait();
  const answer = resolver.resolve(A, context);
  const outcome = await outcomeOf(answer);
  return { outcome, why: (await failureOf(answer))?.message, signal, ...endpoint, ...hasty };
}

describe("an ask by webhook", () => {
  it("is posted whole, details too, signed with every secret", async () => {
    const { outcome, received } = await ask(json({ resolution: "Approve", decided_by: "ana" }), {
      secrets: [SECRET, OTHER_SECRET],
    });
    expect(outcome).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
    expect(received).toHaveLength(1);
    const [{ body = "", headers = {}, message = null } = {}] = received;
    expect(message).toEqual({ ask: A });
    expect(headers).toMatchObject({ "content-type": "application/json" });
    expect(headers["webhook-id"]).toMatch(/^ask_[0-9a-f-]{36}$/);
    expect(headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [SECRET, OTHER_SECRET])
      expect(new Webhook(secret).verify(body, headers)).toEqual({ ask: A });
  });

  it.each([
    ["the bare word", "Approve", { value: { resolution: "Approve" } }],
    ["a denial", { resolution: "Deny", reason: "no" }, { value: { resolution: "Deny", reason: "no" } }],
    [
      "an answer that names its ask",
      { resolution: "Approve", id: A.id, args_digest: A.args_digest },
      { value: { resolution: "Approve" } },
    ],
    [
      "another input",
      { resolution: "Approve", modified_input: { path: "x" } },
      { value: { resolution: "Approve", modified_input: { path: "x" } } },
    ],
    ["an answer for another ask", { resolution: "Approve", id: B.id }, UNAVAILABLE],
    ["an answer for another digest", { resolution: "Approve", args_digest: B.args_digest }, UNAVAILABLE],
    ["a word in another case", "approve", UNAVAILABLE],
    ["true", true, UNAVAILABLE],
    ["an empty object", {}, UNAVAILABLE],
    ["a list", ["Approve"], UNAVAILABLE],
    ["null", null, UNAVAILABLE],
    ["a resolution that is none", { resolution: "Allow" }, UNAVAILABLE],
    ["a denial with another input", { resolution: "Deny", modified_input: {} }, UNAVAILABLE],
    [
      "keys and texts that look like more of them",
      {
        resolution: "Approve",
        reason: '"resolution":"Deny"',
        modified_input: { ":": [{ a: ":" }, { a: 1 }] },
      },
      {
        value: {
          resolution: "Approve",
          reason: '"resolution":"Deny"',
          modified_input: { ":": [{ a: ":" }, { a: 1 }] },
        },
      },
    ],
  ])("comes to what status 200 with %s says", async (_name, answer, expected) => {
    expect((await ask(json(answer))).outcome).toEqual(expected);
  });

  it.each<[string, Respond]>([
    ["a page", (response) => response.end("<html>Approve</html>")],
    ["nothing", (response) => response.end()],
    ["JSON that is cut off", (response) => response.end('{"resolution":"Approve"')],
    ["two answers", (response) => response.end('{"resolution":"Approve"}{"resolution":"Approve"}')],
    [
      "no UTF-8",
      (response) => response.end(Buffer.from('{"resolution":"Approve","reason":"\xff"}', "latin1")),
    ],
    ["an encoding that it does not have", encoded("gzip", "xx")],
    ["a compressed answer, as nobody asked for one", encoded("gzip", gzipSync('"Approve"'))],
    ["a compressed answer that is cut off", encoded("gzip", gzipSync('"Approve"').subarray(0, -8))],
    ["an encoding that nobody knows", encoded("x-unknown", '"Approve"')],
    ["two resolutions", (response) => response.end('{"resolution":"Deny","resolution":"Approve"}')],
    [
      "two resolutions in two spellings",
      (response) => response.end('{"resolution":"Deny","resolut\\u0069on":"Approve"}'),
    ],
    [
      "a key that stands twice in its input",
      (response) => response.end('{"resolution":"Approve","modified_input":[{"n":{"a":1,"a":2}}]}'),
    ],
    [
      "an integer that would be rounded",
      (response) => response.end('{"resolution":"Approve","modified_input":1e0,"x":9007199254740993}'),
    ],
    [
      "a number that would be rounded in another spelling",
      (response) => response.end('{"resolution":"Approve","modified_input":{"n":9007199254740993.0}}'),
    ],
    ["half a character", json({ resolution: "Approve", reason: "\ud800" })],
    [
      "input nested deeper than a text of it can be",
      (response) =>
        response.end(`{"resolution":"Approve","modified_input":${"[".repeat(512)}${"]".repeat(512)}}`),
    ],
    ["the id of another ask", json({ resolution: "Approve", id: "B" })],
    ["another ask as the one it answers", json({ resolution: "Approve", ask_id: "B" })],
  ])("is unavailable when status 200 comes with %s", async (_name, respond) => {
    const { outcome, received } = await ask(respond, { attempts: 1 });
    expect(outcome).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(1);
  });

  it.each([201, 203, 204, 301, 302, 303, 307, 308, 400, 401, 403, 404, 409, 410, 422])(
    "is unavailable, at the first attempt, with status %i",
    async (code) => {
      const { outcome, received, why, url } = await ask(status(code, { location: "/elsewhere" }));
      expect(outcome).toEqual(UNAVAILABLE);
      expect(received).toHaveLength(1);
      expect(why).toBe(`the webhook endpoint answered with status ${code}`);
      expect(url).toBeDefined();
    },
  );

  it("is unavailable with status 202 when there is no callback", async () => {
    expect((await ask(status(202))).outcome).toEqual(UNAVAILABLE);
  });

  it("counts an answer in the response only of an approver who is listed", async () => {
    const approvers = ["ana"];
    const of = async (fields: object) =>
      (await ask(json({ resolution: "Approve", ...fields }), { approvers })).outcome;
    expect(await of({})).toEqual(UNAVAILABLE);
    expect(await of({ decided_by: "mallory" })).toEqual(UNAVAILABLE);
    expect(await of({ decided_by: "ana" })).toEqual({ value: { resolution: "Approve", decided_by: "ana" } });
  });

  it("carries no more of the ask than has a place on the wire", async () => {
    const more = { ...A, arguments: { password: "hunter2" } };
    const { url, received } = await startEndpoint(json("Deny"));
    const resolver = loopbackResolver({ url });
    await resolver.resolve(more, wait().context);
    expect(received[0]?.message).toEqual({ ask: A });
  });

  it("takes a long answer in little time", async () => {
    const reason = '\\"'.repeat(100_000);
    const startedMs = performance.now();
    const { outcome } = await ask(json({ resolution: "Deny", reason }), { mostResponseBytes: 1_000_000 });
    expect(outcome).toEqual({ value: { resolution: "Deny", reason } });
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("rejects in words that name no host, and with a cause that holds no secret", async () => {
    const resolver = loopbackResolver({
      url: `http://127.0.0.1:${await freePort()}/path?key=hunter2`,
      clock: hastyClock().clock,
    });
    const error = await failureOf(resolver.resolve(A, wait().context));
    expect(error).toMatchObject({
      ...UNAVAILABLE,
      message: "the webhook endpoint could not be reached, in 4 attempts",
    });
    expect(inspect(error, { depth: 6 })).toContain("ECONNREFUSED");
    expect(inspect(error, { depth: 6 })).not.toMatch(/hunter2|whsec|key=/);
  });
});

describe("an attempt that failed", () => {
  it("is repeated under the same id, stamped and signed anew, with pauses that double, until it succeeds", async () => {
    const { outcome, received, pausesMs, signal, state } = await ask(
      inTurn(status(500), status(503), (response) => response.destroy(), json("Approve")),
    );
    expect(outcome).toEqual({ value: { resolution: "Approve" } });
    expect(received).toHaveLength(4);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
    for (const { body, headers } of received) new Webhook(SECRET).verify(body, headers);
    expect(pausesMs).toHaveLength(3);
    for (const [index, fullMs] of [500, 1_000, 2_000].entries()) {
      expect(pausesMs[index]).toBeGreaterThanOrEqual(fullMs / 2);
      expect(pausesMs[index]).toBeLessThanOrEqual(fullMs);
    }
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    expect(state.live).toBe(0);
  });

  it("is repeated so often and no more", async () => {
    const { outcome, received, why } = await ask(status(500), { attempts: 3 });
    expect(outcome).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(3);
    expect(why).toBe("the webhook endpoint answered with status 500, in 3 attempts");
  });

  it("is another webhook-id's when the ask is put again", async () => {
    const { url, received } = await startEndpoint(json("Deny"));
    const resolver = loopbackResolver({ url });
    for (let turn = 0; turn < 2; turn += 1) await resolver.resolve(A, wait().context);
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });

  it("waits as long as Retry-After says, in seconds or until a date", async () => {
    const at = new Date(Date.now() + 8_000).toUTCString();
    const { outcome, pausesMs } = await ask(
      inTurn(status(429, { "retry-after": "5" }), status(503, { "retry-after": at }), json("Approve")),
    );
    expect(outcome).toEqual({ value: { resolution: "Approve" } });
    expect(pausesMs[0]).toBe(5_000);
    expect(pausesMs[1]).toBeGreaterThan(5_000);
    expect(pausesMs[1]).toBeLessThanOrEqual(8_000);
  });

  it.each([
    ["is past", new Date(0).toUTCString()],
    ["is 0", "0"],
    ["is below 0", "-5"],
    ["is nonsense", "soon"],
    ["is a date of another form", "2999-01-01"],
  ])("waits as ever when Retry-After %s", async (_name, value) => {
    const { pausesMs } = await ask(inTurn(status(429, { "retry-after": value }), json("Approve")));
    expect(pausesMs).toHaveLength(1);
    expect(pausesMs[0]).toBeGreaterThanOrEqual(250);
    expect(pausesMs[0]).toBeLessThanOrEqual(500);
  });

  it.each(["31", "99999999999999999999", new Date(Date.now() + 86_400_000).toUTCString()])(
    "ends the ask at once when Retry-After is beyond the time that all attempts have: %s",
    async (value) => {
      const { outcome, received, pausesMs } = await ask(status(429, { "retry-after": value }));
      expect(outcome).toEqual(UNAVAILABLE);
      expect([received.length, pausesMs]).toEqual([1, []]);
    },
  );
});

describe("a response that hangs", () => {
  const BOUNDS = { attempts: 2, attemptTimeoutMs: 400, retryDelayMs: 1, deliveryTimeoutMs: 5_000 };
  const drip = (start: string) => (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(start);
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => clearInterval(timer));
  };

  it.each<[string, Respond]>([
    ["before its headers", () => {}],
    ["after its headers", (response) => response.writeHead(200).flushHeaders()],
    ["dripping in its body", drip('{"resolution":')],
    ["dripping after the answer", drip('{"resolution":"Approve"}')],
  ])("is given up in time: %s", async (_name, respond) => {
    const endpoint = await startEndpoint(respond);
    const resolver = loopbackResolver({ url: endpoint.url, ...BOUNDS });
    const startedMs = performance.now();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual(UNAVAILABLE);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(790);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    expect(endpoint.received).toHaveLength(2);
  });

  it("is given up when all attempts together have had their time, however many are left", async () => {
    const endpoint = await startEndpoint(() => {});
    const bounds = { attempts: 1_000, attemptTimeoutMs: 200, retryDelayMs: 1, deliveryTimeoutMs: 900 };
    const resolver = loopbackResolver({ url: endpoint.url, ...bounds });
    const startedMs = performance.now();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual(UNAVAILABLE);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(890);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    expect(endpoint.received.length).toBeGreaterThanOrEqual(2);
  });

  it("is hung up on where its status already says that it is no answer", async () => {
    let hungUp: () => void = () => {};
    const closed = new Promise<void>((resolve) => {
      hungUp = resolve;
    });
    const { outcome } = await ask((response) => {
      response.on("close", hungUp);
      response.writeHead(404).write("without end");
    });
    expect(outcome).toEqual(UNAVAILABLE);
    const startedMs = performance.now();
    await closed;
    // Not only once the time of the attempt is over, which is 10 seconds.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });

  it("is given up when it drips headers", async () => {
    const endpoint = await startEndpoint((response) => {
      const { socket } = response;
      socket?.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => socket?.write("x: y\r\n"), 20);
      socket?.on("close", () => clearInterval(timer));
    });
    const resolver = loopbackResolver({ url: endpoint.url, ...BOUNDS });
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual(UNAVAILABLE);
  });

  it.each([
    ["said", { "content-length": "1000000000" }],
    ["not said", {}],
  ])("is given up after so many bytes, its length %s, and not tried again", async (_name, headers) => {
    let sent = 0;
    const endless: Respond = (response) => {
      response.writeHead(200, headers);
      const chunk = Buffer.alloc(65_536, " ");
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on("drain", more);
      more();
    };
    const { outcome, received, why } = await ask(endless);
    expect(outcome).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(1);
    expect(why).toBe("the webhook endpoint answered with too long a body");
    expect(sent).toBeLessThan(20_000_000);
  });

  it("is not unpacked, and its endpoint was told so", async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000, " "), { level: 9 });
    const { outcome, received, why } = await ask(encoded("gzip", bomb));
    expect(outcome).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(1);
    expect(received[0]?.headers["accept-encoding"]).toBe("identity");
    expect(why).toBe("the webhook endpoint answered in an encoding");
  });
});

describe("the end of a wait", () => {
  it("ends the request at once when the signal aborts, and leaves nothing", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url, received } = await startEndpoint((response) => response.on("close", () => closed()));
    const hasty = hastyClock();
    const resolver = loopbackResolver({ url, clock: hasty.clock });
    const waiting = wait();
    const outcome = outcomeOf(resolver.resolve(A, waiting.context));
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    waiting.cancel();
    expect(await outcome).toEqual({ code: "ask_cancelled" });
    await gone;
    expect(getEventListeners(waiting.signal, "abort")).toHaveLength(0);
    expect(hasty.state.live).toBe(0);
  });

  it("ends the pause between two attempts, too", async () => {
    const { url, received } = await startEndpoint(status(500));
    const resolver = loopbackResolver({ url, retryDelayMs: 20_000 });
    const waiting = wait();
    const outcome = outcomeOf(resolver.resolve(A, waiting.context));
    await expect.poll(() => received.length, PATIENTLY).toBe(1);
    waiting.expire();
    expect(await outcome).toEqual({ code: "ask_expired" });
  });

  it("asks nobody when it came before the ask: aborted, past its deadline, or closed", async () => {
    const { url, received } = await startEndpoint(json("Approve"));
    const resolver = loopbackResolver({ url });
    const waiting = wait();
    waiting.cancel();
    expect(await outcomeOf(resolver.resolve(A, waiting.context))).toEqual({ code: "ask_cancelled" });
    const past = { ...A, expires_at_ms: Date.now() };
    expect(await outcomeOf(resolver.resolve(past, wait().context))).toEqual({ code: "ask_expired" });
    await resolver.close();
    expect(await outcomeOf(resolver.resolve(A, wait().context))).toEqual(UNAVAILABLE);
    expect(received).toHaveLength(0);
  });

  it("comes with the ask's own deadline, before the attempts' time is over", async () => {
    const { url } = await startEndpoint(() => {});
    const resolver = loopbackResolver({ url });
    const soon = { ...A, expires_at_ms: Date.now() + 100 };
    expect(await outcomeOf(resolver.resolve(soon, wait().context))).toEqual({ code: "ask_expired" });
  });

  it("comes to all that wait when the resolver is closed", async () => {
    const { url, received } = await startEndpoint(() => {});
    const resolver = loopbackResolver({ url });
    const outcomes = [A, B].map((each) => outcomeOf(resolver.resolve(each, wait().context)));
    await expect.poll(() => received.length, PATIENTLY).toBe(2);
    await resolver.close();
    expect(await Promise.all(outcomes)).toEqual([UNAVAILABLE, UNAVAILABLE]);
  });

  it("leaves no connection when the resolver is closed while connections are being made", async () => {
    const sockets: Socket[] = [];
    // It takes connections, and never speaks TLS.
    const server = createServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const bounds = { attemptTimeoutMs: 3_600_000, deliveryTimeoutMs: 3_600_000 };
    const resolver = loopbackResolver({ url: `https://127.0.0.1:${port}/`, ...bounds });
    const outcomes = Array.from({ length: 20 }, (_, index) =>
      outcomeOf(resolver.resolve(pendingAsk(`${index}`), wait().context)),
    );
    await expect.poll(() => sockets.length, PATIENTLY).toBe(20);
    const gone = Promise.all(sockets.map((socket) => once(socket.on("error", () => {}).resume(), "close")));
    await resolver.close();
    await gone;
    expect(new Set((await Promise.all(outcomes)).map((outcome) => JSON.stringify(outcome)))).toEqual(
      new Set([JSON.stringify(UNAVAILABLE)]),
    );
  });

  it("leaves no listener and no warning when 1,000 asks share a signal and an endpoint", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on("warning", onWarning);
    const { url } = await startEndpoint(json("Approve"));
    const resolver = loopbackResolver({ url });
    const { context, signal } = wait();
    const outcomes = Array.from({ length: 1_000 }, (_, index) =>
      resolver.resolve(pendingAsk(`${index}`), context),
    );
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    expect(new Set((await Promise.all(outcomes)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"resolution":"Approve"}']),
    );
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});

describe("the options of a webhook resolver", () => {
  it.each<[string, Partial<WebhookAskResolverOptions>]>([
    ["no URL", { url: "ok.example" }],
    ["a URL of another protocol", { url: "ftp://ok.example/" }],
    ["a URL with a file", { url: "file:///etc/passwd" }],
    ["a URL without TLS", { url: "http://ok.example/" }],
    ["a user and a password", { url: "https://user:hunter2@ok.example/" }],
    ["a user", { url: "https://user@ok.example/" }],
    ["no secret", { secrets: [] }],
    ["undefined for the secrets", { secrets: undefined as never }],
    ["undefined for the approvers", { approvers: undefined as never }],
    ["an approver who is in no list", { approvers: "ana" as never }],
    ["a callback without a channel to wait on", { callbackUrl: "https://gate.example/callback" }],
    [
      "a callback with a password",
      { callbackUrl: "https://a:hunter2@gate.example/", waitOn: { resolve: () => "Deny" } },
    ],
    ["no attempt", { attempts: 0 }],
    ["a time that is none", { attemptTimeoutMs: Number.NaN }],
    ["a delay below 0", { retryDelayMs: -1 }],
    ["no room", { mostResponseBytes: 0 }],
    ["a text that says false for plain HTTP", { allowHttp: "false" as never }],
    ["a text that says false for the private network", { allowPrivateNetwork: "false" as never }],
    ["null for plain HTTP", { allowHttp: null as never }],
    ["a number for the private network", { allowPrivateNetwork: 0 as never }],
  ])("are refused, without repeating them, when they hold %s", (_name, options) => {
    const create = () =>
      new WebhookAskResolver({ url: "https://ok.example/", secrets: [SECRET], ...options });
    expect(create).toThrow(expect.objectContaining({ code: "invalid_option" }));
    expect(create).not.toThrow(/hunter2/);
  });

  const callbackTo = (callbackUrl: string, allowed: Partial<WebhookAskResolverOptions> = {}) => {
    const waitOn = { resolve: () => "Deny" as const };
    const options = { url: "https://ok.example/", secrets: [SECRET], callbackUrl, waitOn, ...allowed };
    return () => void new WebhookAskResolver(options).close();
  };

  it("take a callback without TLS only where that is allowed, and its host is seen to be private or all are allowed", () => {
    const inside = [
      "http://localhost:8080/",
      "http://127.0.0.1/",
      "http://[::1]/",
      "http://10.0.0.1/callback",
    ];
    const anywhere = [
      "http://gate.example/callback",
      "http://8.8.8.8/",
      "http://[::ffff:8.8.8.8]/",
      "http://localhost.example/",
    ];
    for (const url of [...inside, ...anywhere]) {
      expect(callbackTo(url)).toThrow(expect.objectContaining({ code: "invalid_option" }));
      expect(callbackTo(url, { allowHttp: true })).not.toThrow();
      expect(callbackTo(url.replace("http:", "https:"))).not.toThrow();
    }
    for (const url of inside) expect(callbackTo(url, { allowPrivateNetwork: true })).not.toThrow();
    for (const url of anywhere) {
      expect(callbackTo(url, { allowPrivateNetwork: true })).toThrow(
        "callbackUrl must be https, unless allowHttp is set, or allowPrivateNetwork for localhost or a private address",
      );
    }
    expect(callbackTo("ftp://ok.example/", { allowHttp: true })).toThrow("callbackUrl must be https");
  });
});
