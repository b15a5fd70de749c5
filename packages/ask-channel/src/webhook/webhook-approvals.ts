import { type Approver, type AskResolver, namedOptions } from "@x/permission-core";
import { ApprovalChannel } from "../approval-channel.js";
import {
  type CallbackHandler,
  type CallbackHandlerOptions,
  createCallbackHandler,
} from "./callback-handler.js";
import { invalidOption } from "./check-options.js";
import { WebhookAskResolver, type WebhookAskResolverOptions } from "./webhook-ask-resolver.js";

export interface WebhookApprovalsOptions
  extends Omit<WebhookAskResolverOptions, "callbackUrl" | "waitOn">,
    Omit<CallbackHandlerOptions, "deliver"> {
  /** Where this product's callback handler can be reached by the endpoint. */
  callbackUrl: string | URL;
  /** Both sides of the channel by which answers reach their calls. Left out: both are in this process. */
  deliver?: Approver;
  waitOn?: AskResolver;
}

export interface WebhookApprovals {
  /** For the gate. */
  readonly askResolver: WebhookAskResolver;
  /** For the server that `callbackUrl` leads to. */
  readonly handler: CallbackHandler;
  /** Ends what waits, unapproved, and all connections. The channel, where one was given, stays open. */
  close(): Promise<void>;
}

/** All but the channel, which both halves are given. */
const OPTIONS = {
  url: true,
  secrets: true,
  callbackUrl: true,
  approvers: true,
  allowPrivateNetwork: true,
  allowHttp: true,
  attempts: true,
  attemptTimeoutMs: true,
  deliveryTimeoutMs: true,
  retryDelayMs: true,
  waitAtMostMs: true,
  mostResponseBytes: true,
  toleranceSeconds: true,
  store: true,
  mostBodyBytes: true,
  timeoutMs: true,
  clock: true,
  onReport: true,
} as const satisfies Record<Exclude<keyof WebhookApprovalsOptions, "deliver" | "waitOn">, true>;

/** Asks by webhook, and the handler that takes the answers: both ends of one set of options. Throws code `invalid_option`. */
export function createWebhookApprovals(options: WebhookApprovalsOptions): WebhookApprovals {
  const { deliver, waitOn } = options;
  if ((deliver === undefined) !== (waitOn === undefined)) {
    throw invalidOption("give deliver and waitOn together, or neither");
  }
  const given = namedOptions(options, OPTIONS);
  const { onReport } = given;
  const [ownResolver, ownApprover] = ApprovalChannel.pair(1, onReport === undefined ? {} : { onReport });
  const channel = { resolver: waitOn ?? ownResolver, approver: deliver ?? ownApprover };
  const askResolver = new WebhookAskResolver({ ...given, waitOn: channel.resolver });
  const handler = createCallbackHandler({ ...given, deliver: channel.approver });
  return {
    askResolver,
    handler,
    async close() {
      await askResolver.close();
      await ownApprover.close();
    },
  };
}
