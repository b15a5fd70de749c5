export { RedisClaimStore } from "./claims/redis-claim-store.js";
export {
  RedisGrantStore,
  type RedisGrantStoreOptions,
  type RedisProject,
} from "./grants/redis-grant-store.js";
export type { RedisStoreOptions } from "./options.js";
export { RedisPermissionStore, type RedisPermissionStoreOptions } from "./rules/redis-permission-store.js";
