import { createHash } from "node:crypto";
import { ManualClock } from "@x/permission-core/testing";
import { RedisProcess } from "@x/redis-server";
import { Redis } from "ioredis";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type CallbackHandlerOptions,
  type CallbackStore,
  createCallbackHandler,
  MemoryCallbackStore,
} from "../../src/webhook/index.js";
import { RedisCallbackStore } from "../../src/webhook/redis-callback-store.js";
import { pendingAsk } from "../support/asks.js";
import { SILENT } from "../support/reports.js";
import { callbackBody, callbackRequest, SECRET, signedHeaders, tokenFor, told } from "./support/callbacks.js";

const A = pendingAsk("A");
const HOUR_MS = 3_600_000;

/** A handler whose approver takes every answer, as if its ask waited again each time; `keys` are those that its store was given. */
function setUp(
  options: Pick<CallbackHandlerOptions, "toleranceSeconds"> = {},
  store: CallbackStore | null = null,
  clock = new ManualClock(),
) {
  const kept = store ?? new MemoryCallbackStore({ clock });
  const keys = new Set<string>();
  const noting: CallbackStore = {
    begin: (key, use) => {
      keys.add(key);
      return kept.begin(key, use);
    },
    finish: kept.finish.bind(kept),
    release: kept.release.bind(kept),
  };
  const state = { delivered: 0 };
  const answer = async () => {
    state.delivered += 1;
    return "delivered" as const;
  };
  const handler = createCallbackHandler({
    deliver: { answer },
    secrets: [SECRET],
    store: noting,
    ...SILENT,
    clock,
    ...options,
  });
  const keyOf = (kind: "message" | "token") => [...keys].find((key) => key.startsWith(`${kind}:`)) ?? "";
  return { clock, kept, handler, state, keyOf };
}

describe("a message that was delivered", () => {
  it.each([
    ["300 s, as by default", {}, 300],
    ["30 s", { toleranceSeconds: 30 }, 30],
    ["0", { toleranceSeconds: 0 }, 0],
  ] as const)(
    "is known for twice the tolerance, as long as a copy of it can be in time, and then forgotten: %s",
    async (_name, options, seconds) => {
      const { clock, kept, handler, state, keyOf } = setUp(options);
      const body = callbackBody(A);
      // As early as a message may come: its sender's clock is ahead.
      const headers = signedHeaders(body, { atMs: clock.now() + seconds * 1_000 });
      const post = async () => told(await handler(callbackRequest(body, headers)));
      const stillKnown = () => kept.begin(keyOf("message"), { owner: "somebody else", leaseMs: 1 });
      expect(await post()).toEqual([200, "delivered"]);
      clock.advance(2 * seconds * 1_000 + 999);
      expect(await post()).toEqual([200, "delivered"]);
      expect(state.delivered).toBe(1);
      expect(stillKnown()).toMatchObject({ kind: "done" });
      clock.advance(1);
      expect(await post()).toEqual([401, "stale"]);
      expect(stillKnown()).toEqual({ kind: "begun" });
    },
  );

  it("is known for a day where the time is not checked, and then forgotten", async () => {
    const { clock, kept, handler, state, keyOf } = setUp({ toleranceSeconds: "off" });
    const body = callbackBody(A);
    const post = async () => (await handler(callbackRequest(body))).status;
    expect(await post()).toBe(200);
    clock.advance(24 * HOUR_MS);
    expect(await post()).toBe(200);
    expect(state.delivered).toBe(1);
    clock.advance(1_000);
    expect(kept.begin(keyOf("message"), { owner: "somebody else", leaseMs: 1 })).toEqual({ kind: "begun" });
  });
});

describe("a token that was used", () => {
  it("stays used as long as it may be good, and twice the tolerance beyond, for messages of other ids too", async () => {
    const { clock, kept, handler, state, keyOf } = setUp();
    const body = callbackBody(A, { token: tokenFor(A, clock.now() + HOUR_MS) });
    const post = async (id: string) =>
      told(await handler(callbackRequest(body, signedHeaders(body, { id, atMs: clock.now() }))));
    const stillUsed = () => kept.begin(keyOf("token"), { owner: "somebody else", leaseMs: 1 });
    expect(await post("one")).toEqual([200, "delivered"]);
    clock.advance(HOUR_MS / 2);
    expect(await post("two")).toEqual([409, "already_answered"]);
    clock.advance(HOUR_MS / 2 - 1);
    expect(await post("three")).toEqual([409, "already_answered"]);
    clock.advance(1);
    expect(await post("four")).toEqual([409, "already_answered"]);
    clock.advance(600_999);
    expect(stillUsed()).toMatchObject({ kind: "done" });
    expect(await post("one")).toEqual([200, "delivered"]);
    clock.advance(1);
    expect(stillUsed()).toEqual({ kind: "begun" });
    expect(state.delivered).toBe(1);
  });

  it("reads 410, which does not say that nobody answered, once nothing is known of it any more", async () => {
    const { clock, handler, state } = setUp();
    const body = callbackBody(A, { token: tokenFor(A, clock.now() + HOUR_MS) });
    const post = () => handler(callbackRequest(body, signedHeaders(body, { id: "one", atMs: clock.now() })));
    expect((await post()).status).toBe(200);
    clock.advance(HOUR_MS + 601_000);
    const response = await post();
    expect([response.status, await response.json()]).toEqual([
      410,
      { status: "expired", message: "This came after the time for an answer: it delivers nothing." },
    ]);
    expect(state.delivered).toBe(1);
  });

  it("reads 410 after its time, though it was delivered, where the store failed to note that", async () => {
    const clock = new ManualClock();
    const store = new MemoryCallbackStore({ clock });
    const forgetful: CallbackStore = {
      begin: store.begin.bind(store),
      release: store.release.bind(store),
      finish: () => Promise.reject(new Error("full")),
    };
    const { handler, state } = setUp({}, forgetful, clock);
    const body = callbackBody(A, { token: tokenFor(A, clock.now() + HOUR_MS) });
    const post = async () =>
      told(await handler(callbackRequest(body, signedHeaders(body, { id: "one", atMs: clock.now() }))));
    expect(await post()).toEqual([200, "delivered"]);
    clock.advance(HOUR_MS);
    expect(await post()).toEqual([410, "expired"]);
    expect(state.delivered).toBe(1);
  });

  it("delivers nothing more when its own message comes again after that was forgotten, stamped anew or never stale", async () => {
    for (const toleranceSeconds of [300, "off"] as const) {
      const { clock, handler, state } = setUp({ toleranceSeconds });
      const body = callbackBody(A, { token: tokenFor(A, clock.now() + 100 * HOUR_MS) });
      const other = callbackBody(A, { token: JSON.parse(body).token, resolution: "Deny" });
      const post = async (text: string, atMs: number) =>
        told(await handler(callbackRequest(text, signedHeaders(text, { id: "one", atMs }))));
      const firstMs = clock.now();
      expect(await post(body, firstMs)).toEqual([200, "delivered"]);
      clock.advance(24 * HOUR_MS + 1_000);
      const againMs = toleranceSeconds === "off" ? firstMs : clock.now();
      expect(await post(body, againMs)).toEqual([200, "delivered"]);
      clock.advance(24 * HOUR_MS + 1_000);
      expect(await post(other, clock.now())).toEqual([409, "already_answered"]);
      expect(state.delivered).toBe(1);
    }
  });
});

describe("a token whose time is over", () => {
  it("delivers nothing, though its ask waits still, and holds no other message up", async () => {
    const { clock, handler, state, kept, keyOf } = setUp();
    const body = callbackBody(A, { token: tokenFor(A, clock.now()) });
    expect(await told(await handler(callbackRequest(body)))).toEqual([410, "expired"]);
    expect(state.delivered).toBe(0);
    expect(kept.begin(keyOf("token"), { owner: "somebody else", leaseMs: 1 })).toEqual({ kind: "begun" });
  });

  it("delivers nothing where that came while another message had it", async () => {
    const { clock, handler, state, kept, keyOf } = setUp();
    const token = tokenFor(A, clock.now() + 50);
    const key = `token:${createHash("sha256").update(token).digest("base64url")}`;
    kept.begin(key, { owner: "somebody else", leaseMs: 60 });
    const response = handler(callbackRequest(callbackBody(A, { token })));
    while (keyOf("token") === "") await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) {
      clock.advance(10);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await told(await response)).toEqual([410, "expired"]);
    expect(state.delivered).toBe(0);
  });
});

describe("over a store in Redis", () => {
  it("message and token are kept for the same times, and go by themselves", async () => {
    const server = await RedisProcess.start();
    const redis = new Redis(server.port, server.host);
    onTestFinished(async () => {
      redis.disconnect();
      await server.close();
    });
    const { clock, handler, keyOf } = setUp({}, new RedisCallbackStore(redis, { prefix: "kept" }));
    const body = callbackBody(A, { token: tokenFor(A, clock.now() + HOUR_MS) });
    expect((await handler(callbackRequest(body))).status).toBe(200);
    for (const [kind, wholeMs] of [
      ["message", 601_000],
      ["token", HOUR_MS + 601_000],
    ] as const) {
      const leftMs = await redis.pttl(`kept:${keyOf(kind)}`);
      expect(leftMs).toBeLessThanOrEqual(wholeMs);
      expect(leftMs).toBeGreaterThan(wholeMs - 30_000);
    }
  });
});
