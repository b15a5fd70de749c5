export { freePort } from "./free-port.js";
export { pauseProcess } from "./pause-process.js";
export { RedisCluster } from "./redis-cluster.js";
export { RedisProcess } from "./redis-process.js";
export { RedisSentinel } from "./redis-sentinel.js";
export { TcpProxy } from "./tcp-proxy.js";
