import { onTestFinished } from "vitest";
import { WebhookAskResolver, type WebhookAskResolverOptions } from "../../../src/webhook/index.js";
import { reports } from "../../support/reports.js";
import { SECRET } from "./callbacks.js";

/** A resolver that may post to loopback, with what it reports. It is closed with the test. */
export function loopbackResolver(options: Omit<Partial<WebhookAskResolverOptions>, "url"> & { url: string }) {
  const heard = reports();
  const resolver = new WebhookAskResolver({
    secrets: [SECRET],
    allowPrivateNetwork: true,
    onReport: heard.onReport,
    ...options,
  });
  onTestFinished(() => resolver.close());
  return { resolver, ...heard };
}
