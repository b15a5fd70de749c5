import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2ServerRequest, Http2ServerResponse } from "node:http2";
import { Readable } from "node:stream";
import { isolatedReport, type OnReport } from "@x/permission-core";
import type { CallbackHandler } from "./callback-handler.js";
import { ALREADY_READ } from "./callback-request.js";
import { callbackResponse, FAILED } from "./callback-response.js";

type NodeRequest = IncomingMessage | Http2ServerRequest;
type NodeResponse = ServerResponse | Http2ServerResponse;

/**
 * Serves a callback handler from `node:http`, `node:http2`, Express or Fastify (its `raw` pair). It must come before any body
 * parser: a request whose body was read already is refused with status 400 and the reason. What fails in here or in `handler` is
 * reported and reads 500, or ends the connection where the response has begun. Throws code `invalid_option` for an `onReport` that is
 * no function.
 */
export function nodeListener(
  handler: CallbackHandler,
  options: { /** told of what failed inside; default `console.warn` */ onReport?: OnReport } = {},
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const report = isolatedReport(options.onReport);
  return async (request, response) => {
    try {
      await respond(await responseTo(request, handler), request, response);
    } catch (cause) {
      report({ level: "error", message: "a webhook callback could not be served", cause });
      if (response.headersSent) response.destroy();
      else await respond(callbackResponse(FAILED), request, response).catch(() => response.destroy());
    }
  };
}

async function responseTo(request: NodeRequest, handler: CallbackHandler): Promise<Response> {
  const wasRead = request.readableDidRead || request.readableEnded;
  return wasRead ? callbackResponse(ALREADY_READ.result) : handler(toWebRequest(request));
}

async function respond(given: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  const body = Buffer.from(await given.arrayBuffer());
  for (const [name, value] of given.headers) response.setHeader(name, value);
  response.setHeader("content-length", body.length);
  response.statusCode = given.status;
  // What is left of a body that was refused is not waited for: its connection ends, or in HTTP/2 its stream.
  if (request.readableEnded) response.end(body);
  else if ("stream" in response) response.end(body, () => response.stream.destroy());
  else response.setHeader("connection", "close").end(body);
}

function toWebRequest(request: NodeRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(headersOf(request))) {
    // In HTTP/2, what begins so is no header of the sender's.
    if (name.startsWith(":")) continue;
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  // The handler looks at no part of the URL.
  const url = "http://callback.invalid/";
  if (request.method !== "POST") return new Request(url, { headers });
  const body = Readable.toWeb(request) as unknown as ReadableStream<Uint8Array>;
  return new Request(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

/** `headers` of HTTP/1 keeps the first of some that came twice; those of HTTP/2 keep all. */
function headersOf(request: NodeRequest): IncomingMessage["headers"] {
  return "headersDistinct" in request ? request.headersDistinct : request.headers;
}
