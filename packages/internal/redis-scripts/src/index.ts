export {
  clientKeyPrefix,
  isWellFormed,
  lastingDuplicate,
  type RedisClient,
  requirePrefix,
  requireUsable,
} from "./redis-client.js";
export { plainScript, type RedisScript, redisScript } from "./redis-script.js";
export { ScriptRunner } from "./script-runner.js";
