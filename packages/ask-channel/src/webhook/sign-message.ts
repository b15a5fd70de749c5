import { Webhook } from "standardwebhooks";

/** Gives the headers that sign one message. */
export type MessageSigner = (message: { id: string; body: string }, nowMs: number) => Record<string, string>;

/** Signs by Standard Webhooks with each of `keys`, so that a receiver needs to know one of them only. */
export function messageSigner(keys: readonly Uint8Array[]): MessageSigner {
  const webhooks = keys.map((key) => new Webhook(key, { format: "raw" }));
  return ({ id, body }, nowMs) => {
    const signatures = webhooks.map((webhook) => webhook.sign(id, new Date(nowMs), body));
    return {
      "webhook-id": id,
      "webhook-timestamp": `${Math.floor(nowMs / 1000)}`,
      "webhook-signature": signatures.join(" "),
    };
  };
}
