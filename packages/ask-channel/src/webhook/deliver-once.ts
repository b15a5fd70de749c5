import { createHash } from "node:crypto";
import { type Approver, type Clock, isPermissionGateError, randomIds } from "@x/permission-core";
import { readJson } from "../read-json.js";
import type { WireAnswer } from "./answer-text.js";
import { answerResult, type CallbackResult, readResult } from "./callback-response.js";
import type { TokenClaims } from "./callback-token.js";
import { sleep } from "./sleep.js";
import { type UseTools, useOnce } from "./use-once.js";

/** Whom answers are handed to, and how long what was used is remembered. */
export interface Delivery extends UseTools {
  readonly deliver: Pick<Approver, "answer">;
  /** after which a message may be handled by another, as whoever began died */
  readonly leaseMs: number;
  /** how long a message's response is kept */
  readonly keepMs: number;
}

/** A callback that passed every check that needs no store. */
export interface CheckedMessage {
  /** its `webhook-id` */
  readonly id: string;
  readonly body: Uint8Array;
  readonly given: WireAnswer;
  readonly token: string;
  readonly claims: TokenClaims;
}

/** Handles a message once; one that comes again is given what came of it. Rejects with the reason of `signal` while it waits for that. */
export async function deliverOnce(
  delivery: Delivery,
  message: CheckedMessage,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const body = hashOf(message.body);
  const use = {
    key: `message:${hashOf(message.id)}`,
    owner: randomIds.uuid(),
    leaseMs: delivery.leaseMs,
    keepMs: delivery.keepMs,
    // An ask may become known: its answer, sent again, must be able to reach it.
    textOf: (result: CallbackResult) =>
      result.status === "unknown" ? null : JSON.stringify({ body, result }),
  };
  const done = await useOnce(delivery, use, () => deliverByToken(delivery, message, signal), signal);
  if (done.kind === "done_now") return done.value;
  const kept = readJson(done.text, "what the store holds") as { body?: unknown; result?: unknown } | null;
  const result = readResult(kept?.result);
  if (result === null) throw new Error("the store holds what no handler kept");
  return kept?.body === body ? result : ID_REUSED;
}

/**
 * A token is used by one message, which may be handled anew where its handling was cut off. Once its answer was delivered, nothing
 * is by this token any more: the message itself may come again after it was forgotten, while another ask of this id waits. After
 * the token's time the store alone is asked what became of it: nobody can ask the approver without giving it the answer.
 */
async function deliverByToken(
  delivery: Delivery,
  { id, body, given, token, claims }: CheckedMessage,
  signal: AbortSignal,
): Promise<CallbackResult> {
  const owner = hashOf(`${hashOf(body)} ${id}`);
  const answer = async () =>
    claims.expires_at_ms <= delivery.clock.now()
      ? "expired"
      : delivery.deliver.answer(claims, given.answer, { answerId: hashOf(id) });
  const deliver = async () => {
    try {
      let status = await answer();
      for (let pauseMs = 20; status === "unknown" && isBeingParked(claims, delivery.clock); pauseMs *= 2) {
        await sleep(delivery.clock, pauseMs, signal);
        status = await answer();
      }
      return answerResult(status);
    } catch (error) {
      // It would be refused each time. What the approver says may be in words of the answer.
      if (isPermissionGateError(error, "bad_record")) return NOT_TAKEN;
      throw error;
    }
  };
  const use = {
    key: `token:${hashOf(token)}`,
    owner,
    leaseMs: delivery.leaseMs,
    keepMs: claims.expires_at_ms - delivery.clock.now() + delivery.keepMs,
    textOf: ({ status }: CallbackResult) => (status === "delivered" ? owner : null),
  };
  const done = await useOnce(delivery, use, deliver, signal);
  if (done.kind === "done_now") return done.value;
  return answerResult(done.text === owner ? "delivered" : "already_answered");
}

/** An endpoint can answer before the ask is where all processes see it: so long it is looked for again. */
const PARKED_WITHIN_MS = 2_000;

function isBeingParked({ issued_at_ms }: TokenClaims, clock: Clock): boolean {
  return Math.abs(clock.now() - issued_at_ms) < PARKED_WITHIN_MS;
}

const NOT_TAKEN: CallbackResult = {
  status: "malformed",
  message: "The channel of this ask does not take this answer: it is too long for it, or malformed.",
};

const ID_REUSED: CallbackResult = {
  status: "malformed",
  message: "This webhook-id was used for another message: give each message an id of its own.",
};

function hashOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("base64url");
}
