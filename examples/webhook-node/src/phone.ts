import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AskAnswer, PendingAsk } from "@x/permission-core";
import { Webhook } from "standardwebhooks";

/** What an ask is posted with. */
interface AskMessage {
  ask: PendingAsk;
  callback_url: string;
  token: string;
}

export interface PhoneOptions {
  secret: string;
  /** What the person does who sees the ask. */
  decide(ask: PendingAsk): AskAnswer;
}

/**
 * Stands in for the service that asks go to: a bot in a chat, say, which shows buttons and calls back once somebody presses one. It
 * checks and signs with a Standard Webhooks library, and knows nothing else of this product.
 */
export async function startPhone({ secret, decide }: PhoneOptions) {
  const webhook = new Webhook(secret);
  let calling = Promise.resolve();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    try {
      webhook.verify(body, request.headers as Record<string, string>);
    } catch {
      response.writeHead(401).end();
      return;
    }
    response.writeHead(202).end();
    // A real service sends it again, under the same id.
    calling = callBack(JSON.parse(body) as AskMessage).catch((error) =>
      console.error("not called back:", error),
    );
  });

  async function callBack({ ask, callback_url, token }: AskMessage): Promise<void> {
    const body = JSON.stringify({ id: ask.id, args_digest: ask.args_digest, token, ...decide(ask) });
    // The same id whenever this is sent again: then it is delivered once.
    const id = randomUUID();
    const now = new Date();
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": `${Math.floor(now.getTime() / 1000)}`,
      "webhook-signature": webhook.sign(id, now, body),
    };
    const response = await fetch(callback_url, { method: "POST", headers, body });
    console.log(`  the phone is told: ${response.status} ${await response.text()}`);
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/asks`,
    /** Fulfils once the latest call back has its reply. */
    hungUp: () => calling,
    close: () => void server.close(),
  };
}
