import { createServer } from "node:net";

/** The highest port whose partner for a Cluster's own traffic, 10,000 above, still exists. */
const HIGHEST_PORT = 55_535;

/** A port of loopback that nothing listens on, and that a Cluster's node may have. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await anyFreePort();
    if (port <= HIGHEST_PORT) return port;
  }
}

function anyFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
