import type { ReadableStream } from "node:stream/web";
import type { CallbackResult } from "./callback-response.js";
import { BodyTooLong, readBody } from "./read-body.js";

export type RequestRead = { kind: "read"; body: Buffer } | { kind: "refused"; result: CallbackResult };

/** The bytes of a request that may be a callback: a POST whose body is short, came in time and was read by nobody before. */
export async function readRequest(
  request: Request,
  mostBytes: number,
  signal: AbortSignal,
): Promise<RequestRead> {
  if (typeof request?.headers?.get !== "function") return refused("malformed", NO_WEB_REQUEST);
  if (request.method !== "POST")
    return refused("method_not_allowed", "Callbacks are POST requests; no other decides.");
  const isUnread = request.body === null || typeof request.body?.getReader === "function";
  if (request.bodyUsed || request.body?.locked || !isUnread) return ALREADY_READ;
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) return tooLarge(mostBytes);
  try {
    const body = request.body as ReadableStream<Uint8Array> | null;
    return { kind: "read", body: await readBody(body, mostBytes, signal) };
  } catch (error) {
    if (error instanceof BodyTooLong) return tooLarge(mostBytes);
    if (signal.aborted) return refused("too_slow", "The body did not come in time.");
    return refused("malformed", "The body did not come whole.");
  }
}

/** For a body that a parser took before: its bytes are gone, and what is made of it anew has others than were signed. */
export const ALREADY_READ: RequestRead & { kind: "refused" } = refused(
  "malformed",
  "The body was read before it came here. Signatures are over its bytes as they came: mount the handler before any body parser.",
);

const NO_WEB_REQUEST =
  "This handler takes a Web Request whose body nobody read: wrap it in nodeListener for node:http, Express or Fastify.";

function tooLarge(mostBytes: number): RequestRead {
  return refused("too_large", `The body has more than ${mostBytes} bytes.`);
}

function refused(status: CallbackResult["status"], message: string): RequestRead & { kind: "refused" } {
  return { kind: "refused", result: { status, message } };
}
