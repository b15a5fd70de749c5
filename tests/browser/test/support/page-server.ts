import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Serves the page on a free loopback port: at `/` as it is, at `/strict` without leave to compile WebAssembly. */
export async function servePage(): Promise<{ url: string; close(): Promise<void> }> {
  const entry = fileURLToPath(new URL("../../src/page.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer((request, response) => {
    if (request.url === "/page.js") {
      response.setHeader("content-type", "text/javascript").end(script);
      return;
    }
    if (request.url === "/strict") response.setHeader("content-security-policy", "script-src 'self'");
    response
      .setHeader("content-type", "text/html")
      .end('<!doctype html><meta charset="utf-8"><script type="module" src="/page.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
