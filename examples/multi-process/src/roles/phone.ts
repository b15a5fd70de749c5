import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type { AskAnswer, PendingAsk } from "@x/permission-core";
import { closeOn, listen } from "./listen.js";
import type { RoleContext } from "./role.js";
import { isSigned, signedHeaders } from "./standard-webhook.js";

/** Whose phones ring. */
export const PHONES: readonly string[] = ["ana", "bob"];
/** How long somebody takes to pick up. */
const PICK_UP_MS = 200;

/** What an ask is posted with. */
interface AskMessage {
  ask: PendingAsk;
  callback_url: string;
  token: string;
}

/**
 * Stands in for the service that brings asks to phones, at `/ana` and `/bob`: takes what is signed, says 202 at once, and
 * posts the answer to the callback later. It knows Standard Webhooks, and nothing else of this product.
 */
export async function servePhones({ settings, signal, up }: RoleContext): Promise<void> {
  const { secret } = settings;
  const { server, url } = await listen(async (request, response) => {
    const body = await text(request).catch(() => "");
    if (!isSigned(secret, request, body)) return refuse(response);
    response.writeHead(202).end();
    const message = JSON.parse(body) as AskMessage;
    const answer = answerOf(personOf(request), message.ask);
    if (answer !== null) setTimeout(() => void callBack(secret, message, answer, signal), PICK_UP_MS);
  });
  up(url);
  await closeOn(signal, server);
}

/** Ana approves for the team, Bob refuses the press, and nobody says anything about the rest. */
function answerOf(person: string, { tool, details }: PendingAsk): AskAnswer | null {
  if (tool !== "publish") return null;
  if (person === "ana" && details === "team") return { resolution: "Approve", decided_by: "ana" };
  if (person === "bob" && details === "press") {
    return { resolution: "Deny", reason: "not before Monday", decided_by: "bob" };
  }
  return null;
}

async function callBack(secret: string, message: AskMessage, answer: AskAnswer, signal: AbortSignal) {
  const { ask, callback_url, token } = message;
  const body = JSON.stringify({ id: ask.id, args_digest: ask.args_digest, token, ...answer });
  // Whoever sends this again takes the same id: then it is delivered once.
  const headers = signedHeaders(secret, randomUUID(), body);
  try {
    const response = await fetch(callback_url, { method: "POST", headers, body, signal });
    // Not 200: it was decided elsewhere meanwhile, or is too late. The call has its answer, or goes without.
    await response.arrayBuffer();
  } catch (error) {
    if (!signal.aborted) console.error("! a phone's answer could not be sent", error);
  }
}

function personOf({ url = "" }: IncomingMessage): string {
  return url.slice(1);
}

function refuse(response: ServerResponse): void {
  response.writeHead(401).end();
}
