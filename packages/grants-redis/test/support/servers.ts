import { RedisCluster, RedisProcess, TcpProxy } from "@x/redis-server";
import { Cluster, type Redis, type RedisOptions } from "ioredis";
import { afterAll } from "vitest";
import { quietClient } from "./clients.js";

/** A server and a client of it for all tests of a file; both end with them. */
export async function sharedServer(): Promise<{ server: RedisProcess; redis: Redis }> {
  const server = await RedisProcess.start();
  const redis = quietClient(server.port);
  afterAll(async () => {
    redis.disconnect();
    await server.close();
  });
  return { server, redis };
}

/** A server, and a way to it that can be cut, for all tests of a file. */
export async function serverBehindProxy(): Promise<{ server: RedisProcess; proxy: TcpProxy }> {
  const server = await RedisProcess.start();
  const proxy = await TcpProxy.start(server);
  afterAll(async () => {
    await proxy.close();
    await server.close();
  });
  return { server, proxy };
}

/** New clients of a server and of a Cluster, for all tests of a file; all end with them. */
export async function serverAndCluster(): Promise<{
  toServer: (options?: RedisOptions) => Redis;
  toCluster: () => Cluster;
}> {
  const [server, cluster] = await Promise.all([RedisProcess.start(), RedisCluster.start()]);
  const open: (Redis | Cluster)[] = [];
  afterAll(async () => {
    for (const redis of open) redis.disconnect();
    await Promise.all([server.close(), cluster.close()]);
  });
  const kept = <Client extends Redis | Cluster>(redis: Client): Client => {
    open.push(redis);
    return redis;
  };
  return {
    toServer: (options) => kept(quietClient(server.port, options)),
    toCluster: () => kept(new Cluster(cluster.nodes.map(({ host, port }) => ({ host, port })))),
  };
}
