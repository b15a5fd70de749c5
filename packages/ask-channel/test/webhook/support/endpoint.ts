import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { PendingAsk } from "@x/permission-core";
import { onTestFinished } from "vitest";

/** A request as an endpoint got it, whole. */
interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly message: { ask: PendingAsk; callback_url: string; token: string };
}

export type Respond = (response: ServerResponse, received: Received, request: IncomingMessage) => unknown;

/** A real server on loopback that gives what `respond` says, and remembers what it got. It ends with the test. */
export async function startEndpoint(respond: Respond) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = String(Buffer.concat(chunks));
    const headers = request.headers as Record<string, string>;
    const got = { headers, body, message: body.startsWith("{") ? JSON.parse(body) : {} };
    received.push(got);
    await respond(response, got, request);
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/asks`, port, received, server };
}

/** Answers with status 200 and `value` as JSON. */
export const json =
  (value: unknown): Respond =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
  };

/** Answers with this status, these headers and no body. */
export const status =
  (code: number, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(code, headers).end();
  };

/** Answers the first request with the first of these, and so on; the last goes on for ever. */
export function inTurn(...responds: [Respond, ...Respond[]]): Respond {
  const left = [...responds];
  return (response, received, request) => {
    const respond = left.length > 1 ? left.shift() : left[0];
    return respond?.(response, received, request);
  };
}
