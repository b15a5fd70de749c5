export { RedisCallbackStore, type RedisCallbackStoreOptions } from "../webhook/redis-callback-store.js";
export type { RedisChannelOptions } from "./options.js";
export { type OpenClaim, RedisApprover } from "./redis-approver.js";
export { RedisAskResolver } from "./redis-ask-resolver.js";
