export { freePort } from "./free-port.js";
export { RedisCluster } from "./redis-cluster.js";
export { RedisProcess } from "./redis-process.js";
export { TcpProxy } from "./tcp-proxy.js";
