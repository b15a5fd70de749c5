import { escalate, firstAnswer, withDeadline } from "@x/ask-channel";
import { WebhookAskResolver } from "@x/ask-channel/webhook";
import type { AskResolver } from "@x/permission-core";
import { quietly } from "./quietly.js";
import { PHONES } from "./roles/phone.js";
import type { Settings } from "./settings.js";

/**
 * Who is asked: the desk; after a while both phones too, the first of which decides; and after the deadline nobody any
 * more. Whoever answers, the answer comes by the one channel that `asks` is the asking side of.
 */
export function approvals(asks: AskResolver, settings: Settings) {
  const phones = PHONES.map((person) => phoneOf(person, settings));
  const askResolver = withDeadline(
    escalate([{ to: asks }, { to: firstAnswer(phones, quietly), afterMs: settings.ringAfterMs }], quietly),
    settings.deadlineMs,
  );
  const close = async () => {
    await Promise.all(phones.map((phone) => phone.close()));
  };
  return { askResolver, close };
}

function phoneOf(person: string, { phoneUrl, callbackUrl, secret }: Settings): WebhookAskResolver {
  return new WebhookAskResolver({
    url: `${phoneUrl}/${person}`,
    secrets: [secret],
    callbackUrl,
    waitOn: elsewhere,
    // Both ends are on this machine. Leave it out where the phones are reached by a service of the public network.
    allowPrivateNetwork: true,
    ...quietly,
  });
}

/** The callback answers the ask that waits in the channel already, and so calls off the phones: no answer comes here. */
const elsewhere: AskResolver = { interactive: false, resolve: () => new Promise(() => {}) };
