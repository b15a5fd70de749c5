export { RedisCallbackStore, type RedisCallbackStoreOptions } from "../webhook/redis-callback-store.js";
