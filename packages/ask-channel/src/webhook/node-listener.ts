import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { CallbackHandler } from "./callback-handler.js";
import { ALREADY_READ } from "./callback-request.js";
import { callbackResponse } from "./callback-response.js";

/**
 * Serves a callback handler from `node:http`, Express or Fastify (its `raw` pair). It must come before any body parser: a request
 * whose body was read already is refused with status 400 and the reason.
 */
export function nodeListener(
  handler: CallbackHandler,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const wasRead = request.readableDidRead || request.readableEnded;
      const given = wasRead ? callbackResponse(ALREADY_READ.result) : await handler(toWebRequest(request));
      const body = Buffer.from(await given.arrayBuffer());
      // What is left of a body that was refused is not waited for.
      if (!request.readableEnded) response.setHeader("connection", "close");
      response.writeHead(given.status, {
        ...Object.fromEntries(given.headers),
        "content-length": body.length,
      });
      response.end(body);
    } catch {
      response.destroy();
    }
  };
}

function toWebRequest(request: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  // The handler looks at no part of the URL.
  const url = "http://callback.invalid/";
  if (request.method !== "POST") return new Request(url, { headers });
  const body = Readable.toWeb(request) as unknown as ReadableStream<Uint8Array>;
  return new Request(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
}
