import { onTestFinished } from "vitest";
import { WebhookAskResolver, type WebhookAskResolverOptions } from "../../../src/webhook/index.js";
import { SECRET } from "./callbacks.js";

/** A resolver that may post to loopback. It is closed with the test. */
export function loopbackResolver(options: Omit<Partial<WebhookAskResolverOptions>, "url"> & { url: string }) {
  const resolver = new WebhookAskResolver({
    secrets: [SECRET],
    allowPrivateNetwork: true,
    ...options,
  });
  onTestFinished(() => resolver.close());
  return resolver;
}
