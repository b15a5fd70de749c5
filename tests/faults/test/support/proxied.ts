import { TcpProxy } from "@x/redis-server";
import { onTestFinished } from "vitest";
import type { Stage } from "./stage.js";

/** A way to the stage's server that the test can cut. Closed with the test. */
export async function proxyTo({ server }: Stage): Promise<TcpProxy> {
  const proxy = await TcpProxy.start(server);
  onTestFinished(() => proxy.close());
  return proxy;
}
