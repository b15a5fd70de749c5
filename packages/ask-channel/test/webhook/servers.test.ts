import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import {
  connect,
  createServer as createHttp2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import { Hono } from "hono";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ApprovalChannel } from "../../src/index.js";
import { type CallbackHandler, createCallbackHandler, nodeListener } from "../../src/webhook/index.js";
import { outcomeOf, pendingAsk, wait } from "../support/asks.js";
import { reports, SILENT } from "../support/reports.js";
import { callbackBody, SECRET, signedHeaders, tokenFor } from "./support/callbacks.js";
import { serve } from "./support/serve.js";

const A = pendingAsk("A");

async function overNode(handler: CallbackHandler): Promise<string> {
  const server = await serve(nodeListener(handler));
  onTestFinished(() => server.close());
  return server.url;
}

async function overHono(handler: CallbackHandler): Promise<string> {
  const app = new Hono();
  app.all("/", (context) => handler(context.req.raw));
  const server = serveHono({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  await new Promise<void>((resolve) => server.once("listening", () => resolve()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function setUp() {
  const { resolver, approver } = ApprovalChannel.pair(1, SILENT);
  const outcome = outcomeOf(resolver.resolve(A, wait().context));
  const handler = createCallbackHandler({
    deliver: approver,
    secrets: [SECRET],
    mostBodyBytes: 1_000,
    ...SILENT,
  });
  const body = callbackBody(A, { token: tokenFor(A, Date.now() + 60_000), reason: "grün 😀" });
  const init = { method: "POST", headers: signedHeaders(body, { atMs: Date.now() }), body };
  return { approver, outcome, handler, init };
}

describe.each([
  ["node:http", overNode],
  ["Hono", overHono],
])("a callback handler in %s", (_name, mount) => {
  it("takes a signed callback, byte by byte as it was sent, and nothing else", async () => {
    const { handler, outcome, init, approver } = setUp();
    const url = await mount(handler);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url, { ...init, headers: {} })).status).toBe(401);
    expect((await fetch(url, { ...init, body: `${init.body} ` })).status).toBe(401);
    expect((await fetch(url, { ...init, body: "x".repeat(100_000) })).status).toBe(413);
    expect(await approver.list()).toEqual([A]);
    const response = await fetch(url, init);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ status: "delivered" });
    expect(await outcome).toEqual({ value: { resolution: "Approve", reason: "grün 😀" } });
  });
});

describe("a node listener", () => {
  const parsers: [string, (request: IncomingMessage) => Promise<void>][] = [
    [
      "read to its end",
      async (request) => {
        for await (const _chunk of request);
      },
    ],
    [
      "begun to be read",
      async (request) => {
        await new Promise((resolve) => request.once("data", resolve));
      },
    ],
  ];

  it.each(parsers)("[CASE-191] refuses with the reason a body that was %s before", async (_name, parse) => {
    const { handler, init, approver } = setUp();
    const listener = nodeListener(handler);
    const server = await serve(async (request, response) => {
      await parse(request);
      await listener(request, response);
    });
    onTestFinished(() => server.close());
    const response = await fetch(server.url, init);
    expect(response.status).toBe(400);
    expect(await response.text()).toMatch(/mount the handler before any body parser/);
    expect(await approver.list()).toEqual([A]);
  });

  it("answers methods that a Web Request does not know, and outlives a sender who hangs up", async () => {
    const { handler, init } = setUp();
    const url = await overNode(handler);
    const trace = httpRequest(url, { method: "TRACE" }).end();
    const [response] = (await new Promise<[IncomingMessage]>((resolve) =>
      trace.once("response", (given) => resolve([given])),
    )) as [IncomingMessage];
    expect(response.statusCode).toBe(405);
    response.resume();
    const hasty = httpRequest(url, { method: "POST", headers: { ...init.headers, "content-length": "500" } });
    hasty.on("error", () => {});
    hasty.write("{");
    await new Promise((resolve) => setTimeout(resolve, 50));
    hasty.destroy();
    expect((await fetch(url, init)).status).toBe(200);
  });

  it("reads 500 without detail where the handler itself fails, and reports it", async () => {
    const failure = new Error("secret detail");
    const heard = reports();
    const server = await serve(nodeListener(() => Promise.reject(failure), heard));
    onTestFinished(() => server.close());
    const response = await fetch(server.url, { method: "POST", body: "{}" });
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining("secret")]);
    expect(heard.events).toEqual([
      { level: "error", message: "a webhook callback could not be served", cause: failure },
    ]);
  });

  it("is refused with what is no function for whoever is told", () => {
    expect(() => nodeListener(setUp().handler, { onReport: null as never })).toThrow(
      expect.objectContaining({ code: "invalid_option" }),
    );
  });

  it("ends the connection where it fails once a response has begun, and reports it", async () => {
    const heard = reports();
    const listener = nodeListener(setUp().handler, heard);
    const server = await serve((request, response) => {
      response.flushHeaders();
      void listener(request, response);
    });
    onTestFinished(() => server.close());
    const response = await fetch(server.url, { method: "POST", body: "{}" });
    await expect(response.text()).rejects.toThrow("terminated");
    expect(heard.events).toHaveLength(1);
  });
});

/** Posts on a stream of its own over HTTP/2. */
async function postOverHttp2(url: string, headers: Record<string, string>, body: string) {
  const session = connect(url);
  onTestFinished(() => session.close());
  const stream = session.request({ ":method": "POST", ":path": "/", ...headers });
  stream.on("error", () => {});
  stream.end(body);
  const [given] = (await once(stream, "response")) as [IncomingHttpHeaders];
  return [given[":status"], JSON.parse(String(Buffer.concat(await stream.toArray()))).status];
}

describe("a node listener in node:http2", () => {
  it("takes a signed callback, and tells what is refused why", async () => {
    const { handler, outcome, init } = setUp();
    const warnings: unknown[] = [];
    const heed = (warning: unknown) => void warnings.push(warning);
    process.on("warning", heed);
    onTestFinished(() => void process.off("warning", heed));
    const server = createHttp2Server(nodeListener(handler));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await postOverHttp2(url, {}, init.body)).toEqual([401, "bad_signature"]);
    expect(await postOverHttp2(url, init.headers, "x".repeat(1_000_000))).toEqual([413, "too_large"]);
    expect(await postOverHttp2(url, init.headers, init.body)).toEqual([200, "delivered"]);
    expect(await outcome).toEqual({ value: { resolution: "Approve", reason: "grün 😀" } });
    expect(warnings).toEqual([]);
  });

  it("ends the stream of a body that was refused, though more of it is to come", async () => {
    const { handler, init } = setUp();
    const server = createHttp2Server(nodeListener(handler));
    const streams: ServerHttp2Stream[] = [];
    server.on("stream", (stream: ServerHttp2Stream) => void streams.push(stream));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => session.destroy());
    const request = session.request({ ":method": "POST", ...init.headers });
    request.on("error", () => {});
    request.write("x".repeat(300_000));
    const [headers] = await once(request, "response");
    expect(headers[":status"]).toBe(413);
    await vi.waitFor(() => expect(streams.map(({ destroyed }) => destroyed)).toEqual([true]), 10_000);
  });
});
