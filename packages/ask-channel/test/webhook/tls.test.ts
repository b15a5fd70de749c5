import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const FIXTURES = new URL("../fixtures/", import.meta.url);
const CERTIFICATE = fileURLToPath(new URL("tls/cert.pem", FIXTURES));

/** A real TLS server whose certificate is for `localhost`; it notes by which names it was asked for. */
async function startTls() {
  const names: unknown[] = [];
  const key = readFileSync(new URL("tls/key.pem", FIXTURES));
  const server = createServer({ key, cert: readFileSync(CERTIFICATE) }, (request, response) => {
    names.push((request.socket as TLSSocket & { servername?: unknown }).servername);
    response.end('{"resolution":"Approve"}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return { port: (server.address() as AddressInfo).port, names };
}

/** Asks from a process of its own, which trusts the certificate if it is told to when it starts. */
async function ask(url: string, trusted: boolean): Promise<string> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const trust = trusted ? { NODE_EXTRA_CA_CERTS: CERTIFICATE } : {};
  const program = fileURLToPath(new URL("ask-by-webhook.mjs", FIXTURES));
  const { stdout } = await promisify(execFile)(process.execPath, [program, url], {
    env: { ...env, ...trust },
  });
  return stdout.trim();
}

it("asks over TLS by the endpoint's name, though it connects to an address that it looked up", async () => {
  const { port, names } = await startTls();
  expect(await ask(`https://localhost:${port}/`, true)).toBe('{"resolution":"Approve"}');
  expect(names).toEqual(["localhost"]);
});

it("asks nobody whose certificate is for another name, or of nobody that is trusted", async () => {
  const { port, names } = await startTls();
  expect(await ask(`https://127.0.0.1:${port}/`, true)).toBe("ask_unavailable");
  expect(await ask(`https://localhost:${port}/`, false)).toBe("ask_unavailable");
  expect(names).toEqual([]);
});
