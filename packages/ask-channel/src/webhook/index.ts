export {
  type CallbackHandler,
  type CallbackHandlerOptions,
  createCallbackHandler,
} from "./callback-handler.js";
export type { CallbackStore, CallbackUse } from "./callback-store.js";
export { MemoryCallbackStore } from "./memory-callback-store.js";
export { nodeListener } from "./node-listener.js";
export {
  createWebhookApprovals,
  type WebhookApprovals,
  type WebhookApprovalsOptions,
} from "./webhook-approvals.js";
export { WebhookAskResolver, type WebhookAskResolverOptions } from "./webhook-ask-resolver.js";
