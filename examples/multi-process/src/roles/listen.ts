import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Serves on a free port of loopback, and gives the URL. */
export async function listen(listener: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}

/** Fulfils once the signal fired and the server is closed, with all its connections. */
export async function closeOn(signal: AbortSignal, server: Server): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}
